// The question of the Analyse room: a request of Suggest, and its response.
import { create, fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { batch, signal } from "@preact/signals";

import {
  ExplainSchema,
  type Explanation,
  Objective,
  type Position,
  PositionSchema,
  type Ruleset,
  type ScorecardTotals,
  type SuggestRequest,
  SuggestRequestSchema,
  type SuggestResponse,
  ShowdownOrder,
  ShowdownPlayerSchema,
  ShowdownPositionSchema,
} from "../../rpc/contract";
import { language, words } from "../../i18n";
import { isRace, isSheet, isShowdown } from "../../game/family";
import { columnsOf } from "../../parts/box";
import { service } from "../../rpc/client";
import { failureOf, Problem, type Failure } from "../../rpc/failure";
import { asked, type Rules } from "../../rpc/rules";

/** Pause after the last edit before the call, in milliseconds. */
const REST_MS = 120;

/** Time that the pointer rests on a move before its explanation is requested, in milliseconds. */
const POINT_MS = 50;

export const question = signal<SuggestRequest>(
  create(SuggestRequestSchema, {
    ruleset: "yahtzee",
    position: { dice: [1, 1, 6, 6, 6], rollsLeft: 2, scorecards: [{}] },
  }),
);
export const ruleset = signal<Ruleset>();
export const answer = signal<SuggestResponse>();
export const totals = signal<ScorecardTotals[]>([]);
export const failure = signal<Failure>();
/** The reason why the question of the address is not asked. */
export const refusal = signal<Failure>();
/** The alternative pointed at, and its explanation. */
export const pointed = signal(0);
export const explanation = signal<Explanation>();

export const rulesOf = ({ ruleset, options, definition }: SuggestRequest): Rules => ({ ruleset, options, definition });

/** Changes the position. */
export function setPosition(change: Partial<Position>): void {
  const { position } = question.value;
  question.value = { ...question.value, position: { ...(position ?? create(PositionSchema)), ...change } };
}

/** Changes the rules; cards and dice start anew if the rows are others. */
export function setRules({ ruleset, options, definition }: Rules): void {
  question.value = { ...question.value, ruleset, options, definition };
}

/** Fits the question to the rules as the service describes them. */
export function fit(found: Ruleset | undefined): void {
  const before = ruleset.value;
  ruleset.value = found;
  const rows = found?.definition;
  if (!rows || !found) return;
  if (isShowdown(found)) return fitShowdown(found);
  const ids = new Set(rows.categories.map(({ id }) => id));
  const columns = new Set(columnsOf(rows).map(({ id }) => id));
  const position = question.value.position!;
  const race = isRace(found);
  const wasRace = isRace(before);
  const wasCards = !before || !isShowdown(before);
  const players = Math.max(race ? 2 : 1, !wasCards || (before && race !== wasRace) ? 0 : position.scorecards.length);
  const cards = Array.from({ length: players }, (_, seat) => {
    const card = before && race !== wasRace ? undefined : position.scorecards[seat];
    return { ...create(PositionSchema, { scorecards: [{}] }).scorecards[0]!, ...card, entries: card?.entries.filter(({ category, column }) => ids.has(category) && columns.has(column)) ?? [] };
  });
  const dice = Array.from({ length: rows.dice }, (_, index) => Math.min(rows.faces, position.dice[index] ?? 1 + (index % rows.faces)));
  batch(() => {
    setPosition({
      dice,
      scorecards: cards,
      showdown: undefined,
      rollsLeft: Math.min(position.rollsLeft, rows.rolls - 1),
      toMove: Math.min(position.toMove, players - 1),
    });
    if (race) question.value = { ...question.value, objective: Objective.UNSPECIFIED, target: 0 };
  });
}

/** Two players, of whom the first has thrown; the other has not. */
function fitShowdown({ definition, minPlayers }: Ruleset): void {
  const { dice, rollsLeft, toMove, showdown } = question.value.position!;
  const { rethrows } = definition!.showdown!;
  const count = definition!.dice;
  const players = Math.max(minPlayers, 1, showdown?.players.length ?? 0);
  const mover = Math.min(toMove, players - 1);
  const known = Array.from({ length: players }, (_, seat) => {
    const player = create(ShowdownPlayerSchema, showdown?.players[seat]);
    // Where all first throws lie open, every player has dice.
    const lies = definition!.showdown!.order !== ShowdownOrder.UNSPECIFIED && seat !== mover && player.dice.length !== count;
    return lies ? { ...player, dice: Array.from({ length: count }, (_, place) => 1 + ((place * 2 + seat) % definition!.faces)) } : player;
  });
  setPosition({
    dice: Array.from({ length: count }, (_, place) => Math.min(definition!.faces, dice[place] ?? 1 + (place % definition!.faces))),
    rollsLeft: Math.min(rollsLeft, rethrows),
    scorecards: [],
    toMove: mover,
    showdown: showdown ? { ...showdown, players: known } : create(ShowdownPositionSchema, { players: known }),
  });
  question.value = { ...question.value, objective: Objective.UNSPECIFIED, target: 0 };
}

/** Takes the question of an address. */
export async function take(json: () => Promise<JsonValue>): Promise<void> {
  refusal.value = undefined;
  try {
    const read = readQuestion(await json());
    ruleset.value = undefined;
    question.value = read;
  } catch (reason) {
    refusal.value = failureOf(reason);
  }
}

function readQuestion(json: JsonValue): SuggestRequest {
  try {
    const { position = create(PositionSchema), ...request } = fromJson(SuggestRequestSchema, json, { ignoreUnknownFields: true });
    return { ...request, position };
  } catch {
    throw new Problem(words.value.failures.brokenAddress);
  }
}

/** The question as JSON, as a caller would send it. */
export function asJson(): JsonObject {
  return toJson(SuggestRequestSchema, question.value, { useProtoFieldName: true }) as JsonObject;
}

let round = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends the request after a pause in editing. */
export function askSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), REST_MS);
}

async function ask(): Promise<void> {
  const own = ++round;
  const request = question.value;
  try {
    const explain = isSheet(ruleset.value) ? create(ExplainSchema, { language: language.value }) : undefined;
    const [found] = await Promise.all([service.suggest({ ...request, explain }), addUp(own)]);
    if (own !== round) return;
    batch(() => {
      failure.value = undefined;
      answer.value = found;
      explanation.value = found.explanation;
      pointed.value = 0;
      known.clear();
      known.set(0, found.explanation);
    });
  } catch (reason) {
    if (own === round) failure.value = failureOf(reason, () => void ask());
  }
}

async function addUp(own: number): Promise<void> {
  const { position } = question.value;
  const rules = asked(rulesOf(question.value));
  const cards = position?.scorecards ?? [];
  const sums = await Promise.all(
    cards.map(async (_, toMove) => {
      const one = { scorecards: cards, toMove, rollsLeft: ruleset.value?.definition?.rolls ?? 3 };
      return (await service.score({ ...rules, position: one })).totals;
    }),
  );
  if (own === round) totals.value = sums.filter((sum) => sum !== undefined);
}

/** Explanations of alternatives requested since the last response. */
const known = new Map<number, Explanation | undefined>();

let pointer: ReturnType<typeof setTimeout> | undefined;

/** Points at an alternative, and requests its explanation when the pointer rests there. */
export function point(index: number): void {
  if (pointed.value === index) return;
  pointed.value = index;
  clearTimeout(pointer);
  if (known.has(index)) explanation.value = known.get(index);
  else if (isSheet(ruleset.value)) pointer = setTimeout(() => void explain(index), POINT_MS);
}

async function explain(index: number): Promise<void> {
  const own = round;
  const move = answer.value?.alternatives[index]?.move;
  try {
    const found = await service.suggest({ ...question.value, maxAlternatives: 1, explain: create(ExplainSchema, { language: language.value, move }) });
    if (own !== round) return;
    known.set(index, found.explanation);
    if (pointed.value === index) explanation.value = found.explanation;
  } catch (reason) {
    if (own === round) failure.value = failureOf(reason);
  }
}
