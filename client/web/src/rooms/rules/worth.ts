// What rules are worth: the figures of Analyze for the draft, beside those of the original.
import { batch, signal } from "@preact/signals";

import type { AnalyzeResponse, RulesetDefinition } from "../../rpc/contract";
import { service } from "../../rpc/client";
import { failureOf, type Failure } from "../../rpc/failure";

/** Levels that play. */
export const LEVELS = [1, 3, 5, 7, 9];
/** Games of each player for figures that are not exact: at first, and where more was asked for. */
const GAMES = 300;
const MORE_GAMES = 2_000;
const SEED = 1n;
/** Exact figures take longer than a call usually may. */
const TIMEOUT_MS = 300_000;

export const worth = signal<AnalyzeResponse>();
export const failure = signal<Failure>();
export const busy = signal(false);

let stopping = new AbortController();

/** Forgets what is known of other rules, and stops what is under way. */
export function forget(): void {
  stopping.abort();
  batch(() => {
    worth.value = undefined;
    failure.value = undefined;
    busy.value = false;
  });
}

/** Asks what the draft is worth, and the original beside it; `exact` takes much longer. */
export async function weigh(draft: RulesetDefinition, original: RulesetDefinition | undefined, exact = false): Promise<void> {
  const before = worth.peek();
  forget();
  if (exact) worth.value = before;
  const own = (stopping = new AbortController());
  busy.value = true;
  const opponents = LEVELS.map((level) => ({ kind: { case: "level" as const, value: level } }));
  const request = { definition: draft, games: exact ? MORE_GAMES : GAMES, seed: SEED, opponents, compare: original && { definition: original }, quick: !exact };
  try {
    for await (const answer of service.analyze(request, { signal: own.signal, timeoutMs: TIMEOUT_MS })) {
      if (own.signal.aborted) return;
      worth.value = answer;
    }
  } catch (reason) {
    if (!own.signal.aborted) failure.value = failureOf(reason, () => void weigh(draft, original, exact));
  } finally {
    if (!own.signal.aborted) busy.value = false;
  }
}
