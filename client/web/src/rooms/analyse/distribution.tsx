// The distribution of a final score as a plot.
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { ScoreDistribution } from "../../rpc/contract";
import { number, words } from "../../i18n";
import { axes, Plot } from "../../parts/plot";

/** Probabilities in per cent a point, at the middle of each range. */
function curve({ histogram }: ScoreDistribution): uPlot.AlignedData {
  const width = histogram[0] ? histogram[0].maximum - histogram[0].minimum + 1 : 1;
  const middles = histogram.map(({ minimum, maximum }) => (minimum + maximum) / 2);
  const densities = histogram.map(({ probability }) => (100 * probability) / width);
  const [first, last] = [middles[0] ?? 0, middles.at(-1) ?? 0];
  return [[first - width, ...middles, last + width], [0, ...densities, 0]];
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

