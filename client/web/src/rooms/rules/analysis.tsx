// What the draft is worth, as plots, beside the original.
import { useSignalEffect } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { ScoreDistribution } from "../../rpc/contract";
import { number, signed, words } from "../../i18n";
import { Notice } from "../../parts/notice";
import { axes, Plot } from "../../parts/plot";
import { curveOf } from "../analyse/distribution";
import * as d from "./draft";
import * as w from "./worth";

export function Analysis() {
  const { rules } = words.value;
  // Rules that are sound are weighed as soon as they stand.
  useSignalEffect(() => {
    const { value: sound } = d.sound;
    if (sound?.accepted && !d.draft.peek()?.showdown) void w.weigh(d.definition(), d.isChanged.peek() ? d.originalDefinition() : undefined);
    else w.forget();
  });
  const { value: worth } = w.worth;
  if (!worth && !w.busy.value && !w.failure.value) return null;
  return (
    <section class="card analysis-card" aria-labelledby="worth">
      <h2 id="worth">{rules.worth}</h2>
      <Notice failure={w.failure.value} />
      {w.busy.value && (
        <p class="hint-line" role="status">
          {rules.solving}
        </p>
      )}
      {worth && (
        <>
          <Spreads {...worth} />
          <Figures {...worth} />
          <Levels />
        </>
      )}
    </section>
  );
}

const options = (colour: (name: string) => string): Omit<uPlot.Options, "width" | "height"> => ({
  cursor: { show: false },
  legend: { show: false },
  scales: { x: { time: false }, y: { range: (_, __, max) => [0, max * 1.08] } },
  axes: axes(colour, (value) => number(value), (value) => `${number(value, 2)} %`),
  series: [
    {},
    { stroke: colour("accent"), width: 2, fill: colour("accent-soft"), spanGaps: true },
    { stroke: colour("gold"), width: 2, dash: [6, 4], spanGaps: true },
  ],
});

/** Two curves over the scores of both. */
function join(draft: ScoreDistribution, original: ScoreDistribution | undefined): uPlot.AlignedData {
  const curves = [curveOf(draft), original ? curveOf(original) : new Map<number, number>()];
  const xs = [...new Set(curves.flatMap((curve) => [...curve.keys()]))].sort((a, b) => a - b);
  return [xs, ...curves.map((curve) => xs.map((x) => curve.get(x) ?? null))] as uPlot.AlignedData;
}

function Spreads({ draft, original }: w.Worth) {
  const { rules, analyse } = words.value;
  const data = useMemo(() => join(draft, original), [draft, original]);
  const at = (share: number) => number(draft.percentiles.find(({ percent }) => percent === share)?.score ?? 0);
  return (
    <figure>
      <Plot data={data} height={190} options={options} label={analyse.spread(number(draft.mean, 1), at(5), at(95))} />
      <ul class="legend">
        <li>
          <i class="line-accent" /> {rules.draft}
        </li>
        {original && (
          <li>
            <i class="line-gold" /> {rules.original}
          </li>
        )}
      </ul>
    </figure>
  );
}

function Figures({ draft, original }: w.Worth) {
  const { rules } = words.value;
  const at = (share: number) => (score: ScoreDistribution) => score.percentiles.find(({ percent }) => percent === share)?.score ?? 0;
  const rows: [string, (score: ScoreDistribution) => number, number][] = [
    [rules.mean, (score) => score.mean, 2],
    [rules.deviation, (score) => score.standardDeviation, 2],
    [rules.lowest, at(5), 0],
    [rules.median, at(50), 0],
    [rules.highest, at(95), 0],
  ];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={rules.worth}>
      <table class="figures">
        <thead>
          <tr>
            <td />
            <th scope="col">{rules.draft}</th>
            {original && <th scope="col">{rules.original}</th>}
            {original && <th scope="col">{rules.difference}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, of, digits]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <b>{number(of(draft), digits)}</b>
              </td>
              {original && <td>{number(of(original), digits)}</td>}
              {original && <td>{signed(of(draft) - of(original), digits)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Levels() {
  const { rules, setup } = words.value;
  const known = w.levels.value;
  const most = Math.max(1, ...[...known.values()].map(({ meanScore }) => meanScore?.value ?? 0));
  return (
    <div class="levels">
      {known.size > 0 && (
        <ul class="chance-rows">
          {w.LEVELS.filter((level) => known.has(level)).map((level) => {
            const mean = known.get(level)!.meanScore;
            return (
              <li key={level}>
                <span>{setup.level(level)}</span>
                <span class="bar" aria-hidden="true">
                  <i style={{ width: `${Math.max(1, (100 * (mean?.value ?? 0)) / most)}%` }} />
                </span>
                <span class="figure" title={mean ? `${number(mean.low, 1)} – ${number(mean.high, 1)}` : undefined}>
                  {number(mean?.value ?? 0, 1)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <button class="button small" disabled={w.playing.value} onClick={() => void w.tryLevels(d.definition())}>
        {w.playing.value ? rules.playingLevels : rules.tryLevels}
      </button>
    </div>
  );
}
