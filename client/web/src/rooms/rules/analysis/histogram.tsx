// The probabilities of final scores, or of lengths of games, as a plot.
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { Figure } from "../../../rpc/contract";
import { number, words } from "../../../i18n";
import { axes, Plot } from "../../../parts/plot";

/** The most ranges of a plot: fewer where a range would have a handful of games. */
const RANGES = { exact: 48, sampled: 24 };

/** The share of the games that a plot shows: a long tail leaves no room for the others. */
const SHOWN = 0.995;

/** A number and its probability. */
interface Point {
  score: number;
  chance?: Figure;
}

/** The score that this share of the games stays at or below. */
export function percentile(points: Point[], share: number): number {
  let sum = 0;
  return points.find(({ chance }) => (sum += chance?.value ?? 0) >= share)?.score ?? points.at(-1)?.score ?? 0;
}

const options = (colour: (name: string) => string): Omit<uPlot.Options, "width" | "height"> => ({
  cursor: { show: false },
  legend: { show: false },
  scales: { x: { time: false }, y: { range: (_, __, max) => [0, max * 1.08] } },
  axes: axes(colour, (value) => number(value), (value) => `${number(value, value < 1 && value > 0 ? 2 : 1)} %`),
  series: [
    {},
    { stroke: colour("accent"), width: 2, fill: colour("accent-soft"), points: { show: false } },
    { stroke: colour("gold"), width: 2, dash: [6, 4], points: { show: false } },
  ],
});

/** Both curves over ranges of one width, in per cent for each number. */
function join(draft: Point[], original: Point[] | undefined): uPlot.AlignedData {
  const ends = Math.max(percentile(draft, SHOWN), original ? percentile(original, SHOWN) : 0);
  const all = [...draft, ...(original ?? [])].map(({ score }) => score).filter((score) => score <= ends);
  const low = Math.min(...all);
  const most = draft.some(({ chance }) => chance?.standardError !== undefined) ? RANGES.sampled : RANGES.exact;
  const width = Math.max(1, Math.ceil((Math.max(...all) - low + 1) / most));
  const ranges = Math.floor((Math.max(...all) - low) / width) + 3;
  const curve = (points: Point[]) => {
    const sums = new Array<number>(ranges).fill(0);
    for (const { score, chance } of points) if (score <= ends) sums[Math.floor((score - low) / width) + 1]! += (100 * (chance?.value ?? 0)) / width;
    return sums;
  };
  const xs = Array.from({ length: ranges }, (_, range) => low + (range - 1) * width + (width - 1) / 2);
  return [xs, curve(draft), original ? curve(original) : xs.map(() => null)] as uPlot.AlignedData;
}

export function Histogram({ title, label, draft, original }: { title: string; label: string; draft: Point[]; original?: Point[] }) {
  const { rules } = words.value;
  const data = useMemo(() => (draft.length > 1 ? join(draft, original) : undefined), [draft, original]);
  if (!data) return null;
  return (
    <figure>
      <h3>{title}</h3>
      <Plot data={data} height={190} options={options} label={label} />
      <figcaption class="hint-line">{label}</figcaption>
      {original && (
        <ul class="legend">
          <li>
            <i class="line-accent" /> {rules.draft}
          </li>
          <li>
            <i class="line-gold" /> {rules.original}
          </li>
        </ul>
      )}
    </figure>
  );
}
