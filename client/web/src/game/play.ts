// The course of a game: each move of a person or a bot is a call of the service. A call that fails
// changes nothing, and may be repeated.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { batch, computed, signal } from "@preact/signals";

import {
  type CategoryScore,
  type Move,
  type MoveSchema,
  Objective,
  type Ruleset,
  type SuggestResponse,
  type TurnStep,
  TurnStepSchema,
  type HandScore,
  type RoundResult,
} from "../rpc/contract";
import { language } from "../i18n";
import { service } from "../rpc/client";
import { failureOf, type Failure } from "../rpc/failure";
import { asked, describe, type Rules } from "../rpc/rules";
import { isSheet, staysKept } from "./family";
import { isBot, newGame, opponentOf, type Game, type Seat } from "./game";
import type { Box } from "../parts/box";
import { keep } from "./store";
import * as table from "./table";

/** The game on the table. */
export const game = signal<Game>();
export const ruleset = signal<Ruleset>();
/** The scores of the dice on the table, by category. */
export const scores = signal<CategoryScore[]>([]);
/** The hands that were thrown, in a showdown. */
export const hands = signal<HandScore[]>([]);
/** The result of the last round of a showdown. */
export const lastRound = signal<RoundResult>();
/** The hints, if shown and known. */
export const hints = signal<SuggestResponse>();
export const wantsHints = signal(false);
export const failure = signal<Failure>();
/** Whether a call or a bot's turn is under way. */
export const busy = signal(false);
/** The last event, for screen readers and the line under the dice. */
export const news = signal<{ seat: number; step: TurnStep }>();
/** The box that was filled last. */
export const lastRecorded = signal<{ seat: number; box: Box }>();
/** The legal moves of the person to move. */
export const legal = signal<Move[]>([]);

export const mover = computed(() => game.value?.seats[game.value.position.toMove]);
export const isMine = computed(() => !!game.value && !game.value.over && !!mover.value && !isBot(mover.value));

/** Counts changes of the game: responses for an earlier one are dropped. */
let current = 0;

const instant = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, instant() ? 0 : ms));

/** Runs an action unless one runs; a failure is shown with a way to repeat it. Returns whether it succeeded. */
async function attempt(action: () => Promise<void>): Promise<boolean> {
  if (busy.value) return false;
  const own = current;
  busy.value = true;
  failure.value = undefined;
  try {
    await action();
    return own === current;
  } catch (reason) {
    if (own === current) failure.value = failureOf(reason, () => void attempt(action).then((done) => (done ? goOn() : undefined)));
    return false;
  } finally {
    if (own === current) busy.value = false;
  }
}

/** Begins a game. */
export async function begin(rules: Rules, seats: Seat[]): Promise<void> {
  const found = await describe(rules);
  await resume(newGame(rules, found, seats), found);
}

/** A game from its start and its steps, as the command line saves it, with its position. */
async function completed(game: Game): Promise<Game> {
  if (game.totals.length) return game;
  const { rules, start, steps } = game;
  const { position, totals, gameEnded, winners } = await service.review({ ...asked(rules), position: start, steps });
  return { ...game, position: position ?? start, totals, over: gameEnded, winners };
}

/** Puts a game on the table and continues it. */
export async function resume(given: Game, known?: Ruleset): Promise<void> {
  const [found, next] = await Promise.all([known ?? describe(given.rules), completed(given)]);
  current++;
  batch(() => {
    busy.value = false;
    failure.value = undefined;
    news.value = undefined;
    lastRecorded.value = undefined;
    hints.value = undefined;
    scores.value = [];
    hands.value = [];
    legal.value = [];
    lastRound.value = undefined;
    ruleset.value = found;
    game.value = next;
    table.lay(next.position.dice, next.position.kept);
  });
  keep(next);
  await goOn();
}

/** Takes the game off the table. */
export function leave(): void {
  current++;
  batch(() => {
    busy.value = false;
    game.value = undefined;
    failure.value = undefined;
  });
}

/** Continues with the player to move: a bot plays, a person sees the scores of the dice. */
async function goOn(): Promise<void> {
  if (!game.value || game.value.over) return;
  if (!isMine.value && !(await attempt(playBots))) return;
  if (isMine.value && !legal.value.length) await attempt(look);
}

/** A person's move. */
export async function act(move: MessageInitShape<typeof MoveSchema>): Promise<void> {
  const done = await attempt(async () => {
    const own = current;
    const { rules, position, seed } = game.value!;
    const answer = await service.apply({ ...asked(rules), position, move, seed });
    if (own !== current) return;
    const step = create(TurnStepSchema, { dice: position.dice, move, thrown: answer.thrown, recorded: answer.recorded });
    batch(() => {
      show(position.toMove, step);
      advance([step], answer);
    });
  });
  if (done) await goOn();
}

/** The legal moves, the scores of the dice, and the hints if they are shown. */
async function look(): Promise<void> {
  const own = current;
  const { rules, position } = game.value!;
  const thrown = position.dice.length > 0 || position.showdown?.players.some(({ dice }) => dice.length > 0);
  const [{ moves }, answer] = await Promise.all([
    service.legalMoves({ ...asked(rules), position }),
    thrown ? service.score({ ...asked(rules), position }) : undefined,
  ]);
  if (own !== current || game.value!.position !== position) return;
  batch(() => {
    legal.value = moves;
    scores.value = answer?.scores ?? [];
    hands.value = answer?.hands ?? [];
  });
  await lookUp();
}

async function lookUp(): Promise<void> {
  const own = current;
  const { rules, position } = game.value!;
  hints.value = undefined;
  if (!wantsHints.value || !position.dice.length) return;
  const explain = isSheet(ruleset.value) ? { language: language.value } : undefined;
  const answer = await service.suggest({ ...asked(rules), position, objective: Objective.UNSPECIFIED, explain });
  if (own === current && game.value!.position === position) hints.value = answer;
}

/** Shows or hides hints. */
export function toggleHints(): void {
  wantsHints.value = !wantsHints.value;
  if (!wantsHints.value) hints.value = undefined;
  else if (isMine.value) void attempt(lookUp);
}

/** Bots play until a person is to move or the game is over. */
async function playBots(): Promise<void> {
  const own = current;
  batch(() => {
    scores.value = [];
    hints.value = undefined;
  });
  while (game.value && !game.value.over && !isMine.value) {
    const { rules, position, seed, seats } = game.value;
    const seat = seats[position.toMove]!;
    const answer = await service.playTurn({
      ...asked(rules),
      position,
      opponent: opponentOf(seat),
      seed,
      objective: seat.toWin && seats.length > 1 ? Objective.WIN : Objective.UNSPECIFIED,
    });
    for (const step of answer.steps) {
      if (own !== current) return;
      await showSlowly(position.toMove, step);
    }
    if (own !== current) return;
    batch(() => advance(answer.steps, answer));
  }
}

async function showSlowly(seat: number, step: TurnStep): Promise<void> {
  const { kind } = step.move!;
  if (kind.case === "keep" && step.dice.length) {
    table.show(step.dice);
    table.hold(kind.value.dice);
    await pause(550);
  }
  show(seat, step);
  await pause(kind.case === "keep" ? 750 : 900);
}

/** Shows the result of a step on the table. */
function show(seat: number, step: TurnStep): void {
  const { kind } = step.move!;
  news.value = { seat, step };
  if (kind.case === "keep") {
    table.hold(kind.value.dice);
    table.fall(step.thrown, kind.value.dice.length + step.thrown.length, staysKept(ruleset.value));
    if (!step.dice.length) lastRecorded.value = undefined;
  } else if (kind.case === "record") {
    lastRecorded.value = { seat, box: kind.value };
  }
}

interface Advance {
  position?: Game["position"];
  totals: Game["totals"];
  gameEnded: boolean;
  winners: number[];
  round?: RoundResult;
}

function advance(steps: TurnStep[], answer: Advance): void {
  const before = game.value!;
  const next: Game = {
    ...before,
    steps: [...before.steps, ...steps],
    position: answer.position!,
    totals: answer.totals,
    over: answer.gameEnded,
    winners: answer.winners,
  };
  game.value = next;
  if (answer.round) lastRound.value = answer.round;
  // A person finds the own dice on the table, or none; those of a bot stay in sight until then.
  if (!next.over && !isBot(next.seats[next.position.toMove]!)) table.show(next.position.dice, next.position.kept);
  scores.value = [];
  legal.value = [];
  hints.value = undefined;
  keep(next);
}

/** Whether the person to move may throw once more. */
export const mayThrow = computed(() => legal.value.some(({ kind }) => kind.case === "keep"));
