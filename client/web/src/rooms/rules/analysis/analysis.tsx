// The analysis of the draft as plots and tables, beside that of the original.
import { useSignalEffect } from "@preact/signals";

import type { Analysis as Figures } from "../../../rpc/contract";
import { number, words } from "../../../i18n";
import { isRace, isShowdown } from "../../../game/family";
import { Notice } from "../../../parts/notice";
import * as d from "../draft";
import * as a from "./analyze";
import { Histogram, percentile } from "./histogram";
import { Hands } from "./hands";
import { Levels } from "./levels";
import { Rows } from "./rows";
import { Summary } from "./summary";

/** The analyses of a table or a plot. */
export interface Sides {
  draft: Figures;
  /** Only once the draft differs from it. */
  original?: Figures;
  /** The draft minus the original. */
  difference?: Figures;
}

const ask = (exact = false) => void a.analyze(d.rules(), d.isChanged.peek() ? d.originalRules() : undefined, exact);

export function Analysis() {
  const { rules } = words.value;
  // Rules that the service solves quickly are analyzed as soon as they are sound.
  useSignalEffect(() => {
    const { value: sound } = d.sound;
    if (sound?.accepted) ask();
    else a.clear();
  });
  const { value: answer } = a.answer;
  const draft = answer?.analysis;
  if (!d.sound.value && !a.failure.value) return null;
  const sampled = draft?.rows.some(({ meanPoints }) => meanPoints?.standardError !== undefined);
  const sides = draft && { draft, original: answer.compared, difference: answer.difference };
  return (
    <section class="card analysis-card" aria-labelledby="analysis" aria-busy={a.busy.value}>
      <h2 id="analysis">{rules.worth}</h2>
      <Notice failure={a.failure.value} />
      {a.busy.value && (
        <p class="progress" role="status">
          {rules.analyzing}
          <span class="bar" aria-hidden="true">
            <i style={{ width: `${Math.max(2, 100 * (answer?.progress ?? 0))}%` }} />
          </span>
        </p>
      )}
      {sides && (
        <>
          <Scores {...sides} />
          <Summary {...sides} />
          <Rows {...sides} />
          <Lengths {...sides} />
          <Hands {...sides} />
          <Levels draft={sides.draft} />
          <p class="hint-line">{rules.sampled(number(answer.gamesPlayed))}</p>
        </>
      )}
      {!a.busy.value && !a.failure.value && (!answer || sampled) && (
        <button class="button small" onClick={() => ask(true)}>
          {answer ? rules.exactly : rules.analyze}
        </button>
      )}
    </section>
  );
}

function Scores({ draft, original }: Sides) {
  const { analyse } = words.value;
  const at = (share: number) => number(percentile(draft.finalScores, share));
  return (
    <Histogram
      title={analyse.finalScore}
      label={analyse.spread(number(draft.expectedScore?.value ?? 0, 1), at(0.05), at(0.95))}
      draft={draft.finalScores}
      original={original?.finalScores}
    />
  );
}

/** How long games are. */
function Lengths({ draft, original }: Sides) {
  const { analyse, rules } = words.value;
  const race = isRace(d.ruleset.value);
  if (!race && !isShowdown(d.ruleset.value)) return null;
  const asScores = (of: Figures | undefined) => of?.lengths.map(({ count, chance }) => ({ score: count, chance }));
  const lengths = asScores(draft)!;
  const mean = lengths.reduce((sum, { score, chance }) => sum + score * (chance?.value ?? 0), 0);
  const at = (share: number) => number(percentile(lengths, share));
  return (
    <Histogram
      title={race ? rules.turns : rules.rounds}
      label={analyse.spread(number(mean, 1), at(0.05), at(0.95))}
      draft={lengths}
      original={asScores(original)}
    />
  );
}
