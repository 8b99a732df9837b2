// A game: its players, rules, moves and position. Pure data.
import { create, fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";

import {
  type OpponentSchema,
  type Position,
  PositionSchema,
  type Ruleset,
  type ScorecardTotals,
  ScorecardTotalsSchema,
  type TurnStep,
  TurnStepSchema,
} from "../rpc/contract";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { playersIn } from "./family";
import { Problem } from "../rpc/failure";
import { rulesFromJson, rulesToJson, type Rules } from "../rpc/rules";
import { words } from "../i18n";

/** A player: a person at this screen, or a bot of a level or a profile. */
export interface Seat {
  name: string;
  level?: number;
  profile?: string;
  /** Whether a bot plays to win instead of for points. */
  toWin?: boolean;
}

/** A game. */
export interface Game {
  rules: Rules;
  seats: Seat[];
  /** The seed of all dice and of the bots' errors. */
  seed: bigint;
  /** The position at the start. */
  start: Position;
  steps: TurnStep[];
  position: Position;
  totals: ScorecardTotals[];
  over: boolean;
  winners: number[];
}

/** Whether a seat is a bot's. */
export const isBot = (seat: Seat) => seat.level !== undefined || seat.profile !== undefined;

/** The opponent of a request for a bot. */
export function opponentOf(seat: Seat): MessageInitShape<typeof OpponentSchema> {
  return seat.profile
    ? { kind: { case: "profile", value: seat.profile } }
    : { kind: { case: "level", value: seat.level ?? 10 } };
}

/** The position before the first throw. */
export function startOf(ruleset: Ruleset, players: number): Position {
  const showdown = ruleset.definition?.showdown;
  if (showdown) {
    const empty = { players: Array.from({ length: players }, () => ({})) };
    return create(PositionSchema, { rollsLeft: 1 + showdown.rethrows, showdown: empty });
  }
  return create(PositionSchema, {
    rollsLeft: ruleset.definition?.rolls ?? 3,
    scorecards: Array.from({ length: players }, () => ({})),
  });
}

/** A game that has not begun. */
export function newGame(rules: Rules, ruleset: Ruleset, seats: Seat[]): Game {
  const start = startOf(ruleset, seats.length);
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return {
    rules,
    seats,
    seed: (BigInt(high & 0xfffff) << 32n) | BigInt(low),
    start,
    steps: [],
    position: start,
    totals: seats.map(() => create(ScorecardTotalsSchema)),
    over: false,
    winners: [],
  };
}

/** The content of a file or an address: that of `dicepoker play --save`, and the players. */
const VERSION = 1;

export function gameToJson(game: Game): JsonObject {
  return {
    dicepoker: VERSION,
    ...rulesToJson(game.rules),
    seats: game.seats as unknown as JsonValue,
    seed: String(game.seed),
    start: toJson(PositionSchema, game.start),
    steps: game.steps.map((step) => toJson(TurnStepSchema, step)),
    position: toJson(PositionSchema, game.position),
    totals: game.totals.map((total) => toJson(ScorecardTotalsSchema, total)),
    over: game.over,
    winners: game.winners,
  };
}

/** Reads a game; throws a `Problem` that says what is wrong with it. */
export function gameFromJson(json: JsonValue): Game {
  const { failures } = words.value;
  if (typeof json !== "object" || json === null || Array.isArray(json) || !Array.isArray(json.steps)) throw new Problem(failures.noGame);
  if (Number(json.dicepoker ?? VERSION) > VERSION) throw new Problem(failures.newerGame);
  try {
    const known = { ignoreUnknownFields: false };
    const position = fromJson(PositionSchema, (json.position ?? json.start) as JsonObject, known);
    const players = playersIn(position);
    const seats = (json.seats as JsonValue[] | undefined) ?? Array.from({ length: players }, (_, seat) => ({ name: words.value.analyse.player(seat + 1) }));
    const game: Game = {
      rules: rulesFromJson(json),
      seats: seats.map(readSeat),
      seed: BigInt(String(json.seed ?? 0)),
      start: fromJson(PositionSchema, (json.start ?? json.position) as JsonObject, known),
      steps: json.steps.map((step) => fromJson(TurnStepSchema, step, known)),
      position,
      totals: ((json.totals ?? []) as JsonValue[]).map((total) => fromJson(ScorecardTotalsSchema, total)),
      over: json.over === true,
      winners: ((json.winners ?? []) as number[]).map(Number),
    };
    if (game.seats.length === 0 || game.seats.length !== players) throw new Error("seats");
    if (!game.rules.ruleset && !game.rules.definition) throw new Error("ruleset");
    return game;
  } catch (reason) {
    throw new Problem(failures.brokenGame(reason instanceof Error ? reason.message : String(reason)));
  }
}

function readSeat(json: JsonValue): Seat {
  const { name, level, profile, toWin } = json as Record<string, unknown>;
  if (typeof name !== "string") throw new Error("seats.name");
  return {
    name: name.slice(0, 40),
    level: typeof level === "number" ? level : undefined,
    profile: typeof profile === "string" ? profile : undefined,
    toWin: toWin === true,
  };
}
