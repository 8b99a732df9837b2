// The distribution of a final score as a plot.
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { ScoreDistribution } from "../../rpc/contract";
import { number, words } from "../../i18n";
import { axes, Plot } from "../../parts/plot";

/** Probabilities in per cent a point, by the middle of each range, between two of nothing. */
export function curveOf({ histogram }: ScoreDistribution): Map<number, number> {
  const width = histogram[0] ? histogram[0].maximum - histogram[0].minimum + 1 : 1;
  const middle = (range: { minimum: number; maximum: number } | undefined) => (range ? (range.minimum + range.maximum) / 2 : 0);
  return new Map([
    [middle(histogram[0]) - width, 0],
    ...histogram.map((range) => [middle(range), (100 * range.probability) / width] as [number, number]),
    [middle(histogram.at(-1)) + width, 0],
  ]);
}

function curve(score: ScoreDistribution): uPlot.AlignedData {
  const points = curveOf(score);
  return [[...points.keys()], [...points.values()]];
}

const options = (colour: (name: string) => string): Omit<uPlot.Options, "width" | "height"> => ({
  cursor: { show: false },
  legend: { show: false },
  scales: { x: { time: false }, y: { range: (_, __, max) => [0, max * 1.08] } },
  axes: axes(colour, (value) => number(value), (value) => `${number(value, 2)} %`),
  series: [{}, { stroke: colour("accent"), width: 2, fill: colour("accent-soft") }],
});

export function Distribution({ score }: { score: ScoreDistribution }) {
  const { analyse } = words.value;
  const data = useMemo(() => curve(score), [score]);
  const at = (share: number) => score.percentiles.find(({ percent }) => percent === share)?.score ?? 0;
  return (
    <figure>
      <Plot data={data} height={170} options={options} label={analyse.spread(number(score.mean, 1), number(at(5)), number(at(95)))} />
      <figcaption class="hint-line">{analyse.spread(number(score.mean, 1), number(at(5)), number(at(95)))}</figcaption>
    </figure>
  );
}

