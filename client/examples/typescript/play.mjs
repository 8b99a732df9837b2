// Plays a game and a match of dice poker against the service, as well as they can be played.
// Usage: node play.mjs HOST:PORT

import { readFileSync } from "node:fs";
import { credentials } from "@grpc/grpc-js";
import { connect, DicepokerError } from "dicepoker";

const ruleset = "dice-poker-13";
const showdown = "dice-poker-witcher";
const seed = 42n;
// In plain text, or with TLS where DICEPOKER_CA names a file of certificate authorities.
const { DICEPOKER_CA: ca, DICEPOKER_TOKEN: token } = process.env;
const client = connect(process.argv[2], {
  ...(ca && { credentials: credentials.createSsl(readFileSync(ca)) }),
  token,
});

try {
  await client.score({ ruleset, dice: [1, 3, 2, 4, 7] });
} catch (failed) {
  if (!(failed instanceof DicepokerError)) throw failed;
  console.log(`error: ${failed.codeName} ${failed.reason}`);
  for (const { field, description } of failed.fieldViolations) console.log(`  ${field}: ${description}`);
}

const { ruleset: rules } = await client.getRuleset({ ruleset });
let position = { rollsLeft: rules.definition.rolls };
for (let turns = 0; ; ) {
  const { move } = await client.suggest({ ruleset, position, maxAlternatives: 1 });
  const throws = move.kind.case === "keep";
  const applied = await client.apply({ ruleset, position, move, ...(throws && { seed }) });
  position = applied.position;
  if (applied.turnEnded) {
    turns += 1;
    console.log(`turn ${turns}: ${applied.recorded.points} in ${applied.recorded.category}`);
  }
  if (applied.gameEnded) {
    console.log(`${ruleset} seed ${seed}: ${turns} turns, ${applied.totals[0].grandTotal} points`);
    break;
  }
}
await match();
client.close();

// A match of two players, each of whom makes the best moves.
async function match() {
  const players = (indices) => indices.map((index) => `player ${index}`).join(" and ");
  const { ruleset: rules } = await client.getRuleset({ ruleset: showdown });
  let position = { rollsLeft: rules.definition.rolls };
  for (let rounds = 0; ; ) {
    const { move } = await client.suggest({ ruleset: showdown, position, maxAlternatives: 1 });
    const applied = await client.apply({ ruleset: showdown, position, move, seed });
    position = applied.position;
    if (applied.round) {
      rounds += 1;
      const hands = applied.round.hands.map((hand) => hand.title).join(" against ");
      console.log(`round ${rounds}: ${hands}, won by ${players(applied.round.winners)}`);
    }
    if (applied.gameEnded) {
      console.log(`${showdown} seed ${seed}: won by ${players(applied.winners)}`);
      return;
    }
  }
}
