// What rules are worth: how final scores are spread under best play, for the draft and the original,
// and what players of graded strength make of them.
import { create } from "@bufbuild/protobuf";
import { batch, signal } from "@preact/signals";

import { ExplainSchema, type PlayerStatistics, type RulesetDefinition, type ScoreDistribution } from "../../rpc/contract";
import { language } from "../../i18n";
import { service } from "../../rpc/client";
import { failureOf, type Failure } from "../../rpc/failure";

/** Levels that are tried, and games that each plays. */
export const LEVELS = [1, 3, 5, 7, 9, 10];
const GAMES = 2_000;
const SEED = 1n;

export interface Worth {
  draft: ScoreDistribution;
  original?: ScoreDistribution;
}

export const worth = signal<Worth>();
export const failure = signal<Failure>();
export const busy = signal(false);
/** What the levels score, as far as it is known, by level. */
export const levels = signal(new Map<number, PlayerStatistics>());
export const playing = signal(false);

let round = 0;
let stopping = new AbortController();

/** Forgets what is known of other rules. */
export function forget(): void {
  round++;
  stopping.abort();
  batch(() => {
    worth.value = undefined;
    failure.value = undefined;
    busy.value = false;
    playing.value = false;
    levels.value = new Map();
  });
}

async function distribution(definition: RulesetDefinition): Promise<ScoreDistribution | undefined> {
  const position = { rollsLeft: definition.rolls, scorecards: [{}] };
  const explain = create(ExplainSchema, { language: language.value });
  const { explanation } = await service.suggest({ definition, position, maxAlternatives: 1, explain });
  return explanation?.score;
}

/** Asks for the distributions of both. */
export async function weigh(draft: RulesetDefinition, original: RulesetDefinition | undefined): Promise<void> {
  forget();
  const own = round;
  busy.value = true;
  try {
    const [one, other] = await Promise.all([distribution(draft), original && distribution(original)]);
    if (own !== round) return;
    batch(() => {
      busy.value = false;
      if (one) worth.value = { draft: one, original: other };
    });
  } catch (reason) {
    if (own !== round) return;
    batch(() => {
      busy.value = false;
      failure.value = failureOf(reason, () => void weigh(draft, original));
    });
  }
}

/** Lets the levels play games alone by the draft, and shows how they fare as they go. */
export async function tryLevels(definition: RulesetDefinition): Promise<void> {
  const own = round;
  stopping = new AbortController();
  playing.value = true;
  try {
    for (const level of LEVELS) {
      const players = [{ opponent: { kind: { case: "level" as const, value: level } } }];
      const answers = service.simulate({ definition, players, games: GAMES, seed: SEED }, { signal: stopping.signal });
      for await (const { players: statistics } of answers) {
        if (own !== round) return;
        if (statistics[0]) levels.value = new Map(levels.value).set(level, statistics[0]);
      }
    }
  } catch (reason) {
    if (own === round) failure.value = failureOf(reason, () => void tryLevels(definition));
  } finally {
    if (own === round) playing.value = false;
  }
}
