// Plays a game of dice poker against the service, as well as it can be played.
// Usage: node play.js HOST:PORT SERVICE_CONFIG.json PROTO_FOLDER

import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';
import { errorDetails } from './error-details.js';

const RULESET = 'dice-poker-13';
const SEED = 42;
const DEADLINE = 5_000; // milliseconds, for each call

const [address, serviceConfig, protoFolder] = process.argv.slice(2);

const load = (file, includeDirs) =>
  grpc.loadPackageDefinition(
    protoLoader.loadSync(file, { includeDirs, keepCase: true, enums: String, longs: Number, defaults: true, oneofs: true }),
  );

const { dicepoker } = load('dicepoker/v1/dice_poker_service.proto', [protoFolder]);
const { grpc: { health } } = load(healthProto);

const credentials = grpc.credentials.createInsecure();
const options = { 'grpc.service_config': readFileSync(serviceConfig, 'utf8'), 'grpc.enable_retries': 1 };
const service = new dicepoker.v1.DicePokerService(address, credentials, options);

/** Makes a call with a deadline, as a promise. */
function call(client, method, request) {
  const deadline = new Date(Date.now() + DEADLINE);
  return promisify(client[method].bind(client))(request, new grpc.Metadata(), { deadline });
}

async function requireHealthy() {
  const client = new health.v1.Health(address, credentials);
  const { status } = await call(client, 'check', { service: 'dicepoker.v1.DicePokerService' });
  client.close();
  console.log(`health: ${status}`);
  if (status !== 'SERVING') throw new Error('the service is not serving');
}

/** Asks for something that cannot be, to show what the service says of it. */
async function showError() {
  try {
    await call(service, 'Score', { ruleset: RULESET, dice: [1, 3, 2, 4, 7] });
  } catch (refused) {
    const { reason, fieldViolations } = errorDetails(refused);
    console.log(`refused: ${grpc.status[refused.code]} ${reason}`);
    for (const { field, description } of fieldViolations) console.log(`  ${field}: ${description}`);
  }
}

async function bestMove(position) {
  if (position.dice.length === 0) return { keep: { dice: [] } }; // a turn begins by throwing all
  const question = { ruleset: RULESET, position, max_alternatives: 1 };
  const { move: { keep, record } } = await call(service, 'Suggest', question);
  return keep ? { keep } : { record };
}

async function game() {
  const { ruleset } = await call(service, 'GetRuleset', { ruleset: RULESET });
  let position = { dice: [], rolls_left: ruleset.definition.rolls };
  for (let turns = 0; ; ) {
    const move = await bestMove(position);
    const request = { ruleset: RULESET, position, move, ...(move.keep && { seed: SEED }) };
    const applied = await call(service, 'Apply', request);
    position = applied.position;
    if (applied.turn_ended) {
      turns += 1;
      console.log(`turn ${turns}: ${applied.recorded.points} in ${applied.recorded.category}`);
    }
    if (applied.game_ended) return { turns, points: applied.totals[0].grand_total };
  }
}

await requireHealthy();
await showError();
const { turns, points } = await game();
console.log(`${RULESET} seed ${SEED}: ${turns} turns, ${points} points`);
service.close();
