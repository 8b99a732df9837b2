// The analysis of the draft by the service, beside that of the original.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { batch, signal } from "@preact/signals";

import type { AnalyzeRequestSchema, AnalyzeResponse } from "../../../rpc/contract";
import { service } from "../../../rpc/client";
import { failureOf, type Failure } from "../../../rpc/failure";
import { asked, type Rules } from "../../../rpc/rules";

/** The levels that play; none in the race, whose games take long. */
const LEVELS = [1, 3, 5, 7, 9];
/** Games of each player for figures that are not exact: at first, and where the reader asks for more. */
const GAMES = { first: 300, more: 2_000 };
const RACE_GAMES = { first: 60, more: 500 };
const SEED = 1n;
/** Exact figures take longer than a call usually may. */
const TIMEOUT_MS = 300_000;

export const answer = signal<AnalyzeResponse>();
export const failure = signal<Failure>();
export const busy = signal(false);

let stopping = new AbortController();

/** Cancels the call and clears its figures. */
export function clear(): void {
  stopping.abort();
  batch(() => {
    answer.value = undefined;
    failure.value = undefined;
    busy.value = false;
  });
}

/** Requests the analysis of the draft, and of the original beside it; `exact` takes much longer. */
export async function analyze(draft: Rules, original: Rules | undefined, exact = false): Promise<void> {
  const before = answer.peek();
  clear();
  if (exact) answer.value = before;
  const own = (stopping = new AbortController());
  busy.value = true;
  const race = !draft.definition;
  const games = race ? RACE_GAMES : GAMES;
  const request: MessageInitShape<typeof AnalyzeRequestSchema> = {
    ...asked(draft),
    compare: original && asked(original),
    games: exact ? games.more : games.first,
    seed: SEED,
    opponents: race ? [] : LEVELS.map((value) => ({ kind: { case: "level", value } })),
    quick: !exact,
  };
  try {
    for await (const next of service.analyze(request, { signal: own.signal, timeoutMs: TIMEOUT_MS })) {
      if (own.signal.aborted) return;
      answer.value = next;
    }
  } catch (reason) {
    if (!own.signal.aborted) failure.value = failureOf(reason, () => void analyze(draft, original, exact));
  } finally {
    if (!own.signal.aborted) busy.value = false;
  }
}
