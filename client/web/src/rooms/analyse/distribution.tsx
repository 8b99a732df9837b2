// The distribution of a final score as a plot.
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { ScoreDistribution } from "../../rpc/contract";
import { number, words } from "../../i18n";
import { axes, Plot } from "../../parts/plot";

/** Points of the curve. */
const POINTS = 121;

/** The density of a normal distribution, in per cent a point. */
function curve({ mean, standardDeviation }: ScoreDistribution): uPlot.AlignedData {
  const deviation = Math.max(standardDeviation, 0.5);
  const xs = Array.from({ length: POINTS }, (_, index) => mean + deviation * 3.2 * ((2 * index) / (POINTS - 1) - 1));
  return [xs, xs.map((x) => (100 * Math.exp(-0.5 * ((x - mean) / deviation) ** 2)) / (deviation * Math.sqrt(2 * Math.PI)))];
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

