// What the draft is worth, as plots, beside the original.
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { Analysis as Found, Figure, RowAnalysis } from "../../rpc/contract";
import { number, percent, signed, words } from "../../i18n";
import { Notice } from "../../parts/notice";
import { axes, Plot } from "../../parts/plot";
import * as d from "./draft";
import { nameOf } from "./names";
import * as w from "./worth";

/** The most ranges of a plot. */
const RANGES = 48;

/** What is asked of the draft: the original stands beside it once it differs. */
const ask = (exact = false) => void w.weigh(d.definition(), d.isChanged.peek() ? d.originalDefinition() : undefined, exact);

export function Analysis() {
  const { rules } = words.value;
  // Rules that the service solves are weighed as soon as they stand.
  useSignalEffect(() => {
    const { value: sound } = d.sound;
    if (sound?.accepted) ask();
    else w.forget();
  });
  const { value: worth } = w.worth;
  if (!d.sound.value && !w.failure.value) return null;
  return (
    <section class="card analysis-card" aria-labelledby="worth" aria-busy={w.busy.value}>
      <h2 id="worth">{rules.worth}</h2>
      <Notice failure={w.failure.value} />
      {w.busy.value && (
        <p class="progress" role="status">
          {rules.weighing}
          <span class="bar" aria-hidden="true">
            <i style={{ width: `${Math.max(2, 100 * (worth?.progress ?? 0))}%` }} />
          </span>
        </p>
      )}
      {worth?.analysis && (
        <>
          <Spreads draft={worth.analysis} original={worth.compared} />
          <Figures draft={worth.analysis} original={worth.compared} difference={worth.difference} />
          <Rows draft={worth.analysis} original={worth.compared} difference={worth.difference} />
          <Hands draft={worth.analysis} original={worth.compared} />
          <Levels draft={worth.analysis} />
          <p class="hint-line">{rules.sampled(number(worth.gamesPlayed))}</p>
        </>
      )}
      {!w.busy.value && !w.failure.value && (!worth || worth.analysis?.rows.some(({ meanPoints }) => meanPoints?.standardError !== undefined)) && (
        <button class="button small" onClick={() => ask(true)}>
          {worth ? rules.exactly : rules.weigh}
        </button>
      )}
    </section>
  );
}

/** A figure, with the 95 % interval where it is sampled. */
function Told({ figure, write, unit = "" }: { figure: Figure | undefined; write: (value: number) => string; unit?: string }) {
  if (!figure) return null;
  const error = figure.standardError;
  return (
    <>
      {write(figure.value)}
      {unit}
      {error !== undefined && <small> ± {write(1.96 * error)}</small>}
    </>
  );
}

const Points = ({ of }: { of: Figure | undefined }) => <Told figure={of} write={(value) => number(value, 2)} />;
const Chance = ({ of }: { of: Figure | undefined }) => <Told figure={of} write={(value) => number(100 * value, 1)} unit=" %" />;

/** The interval in words, for a title. */
const interval = (figure: Figure | undefined, write: (value: number) => string) =>
  figure?.standardError === undefined ? undefined : `± ${write(1.96 * figure.standardError)}`;

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

/** The curves of both over ranges of one width, in per cent a point. */
function join(draft: Found, original: Found | undefined): uPlot.AlignedData {
  const all = [...draft.finalScores, ...(original?.finalScores ?? [])].map(({ score }) => score);
  const [low, high] = all.reduce(([low, high], score) => [Math.min(low, score), Math.max(high, score)], [all[0] ?? 0, all[0] ?? 0]);
  const width = Math.max(1, Math.ceil((high - low + 1) / RANGES));
  const ranges = Math.floor((high - low) / width) + 3;
  const curve = ({ finalScores }: Found) => {
    const sums = new Array<number>(ranges).fill(0);
    for (const { score, chance } of finalScores) sums[Math.floor((score - low) / width) + 1]! += (100 * (chance?.value ?? 0)) / width;
    return sums;
  };
  const xs = Array.from({ length: ranges }, (_, range) => low + (range - 1) * width + (width - 1) / 2);
  return [xs, curve(draft), original ? curve(original) : xs.map(() => null)] as uPlot.AlignedData;
}

/** The score that this share of the games stays at or below. */
function percentile({ finalScores }: Found, share: number): number {
  let sum = 0;
  return finalScores.find(({ chance }) => (sum += chance?.value ?? 0) >= share)?.score ?? finalScores.at(-1)?.score ?? 0;
}

function Spreads({ draft, original }: { draft: Found; original?: Found }) {
  const { rules, analyse } = words.value;
  const data = useMemo(() => join(draft, original), [draft, original]);
  if (draft.finalScores.length < 2) return null;
  const at = (share: number) => number(percentile(draft, share));
  return (
    <figure>
      <Plot data={data} height={190} options={options} label={analyse.spread(number(draft.expectedScore?.value ?? 0, 1), at(0.05), at(0.95))} />
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

interface Sides {
  draft: Found;
  original?: Found;
  difference?: Found;
}

function Figures({ draft, original, difference }: Sides) {
  const { rules } = words.value;
  const less = (figure: Figure | undefined, digits: number, scale = 1) => (figure ? signed(scale * figure.value, digits) : "");
  type Line = [name: string, of: (found: Found) => ComponentChildren, less: string];
  const lines: Line[] = [];
  if (draft.expectedScore) {
    lines.push([rules.mean, (of) => <Points of={of.expectedScore} />, less(difference?.expectedScore, 2)]);
    lines.push([rules.deviation, (of) => <Points of={of.standardDeviation} />, less(difference?.standardDeviation, 2)]);
    const of = (share: number) => (found: Found) => number(percentile(found, share));
    const between = (share: number) => (original ? signed(percentile(draft, share) - percentile(original, share), 0) : "");
    for (const [name, share] of [[rules.lowest, 0.05], [rules.median, 0.5], [rules.highest, 0.95]] as const) lines.push([name, of(share), between(share)]);
  }
  for (const bonus of draft.bonuses) {
    const same = (found: Found | undefined) => found?.bonuses.find(({ field, column }) => field === bonus.field && column === bonus.column);
    lines.push([nameOf(bonus.field, bonus.column), (of) => <Chance of={same(of)?.chance} />, less(same(difference)?.chance, 1, 100)]);
  }
  for (const { throws } of draft.throws) {
    const same = (found: Found | undefined) => found?.throws.find((other) => other.throws === throws)?.worth;
    lines.push([rules.withThrows(throws), (of) => less(same(of), 2), less(same(difference), 2)]);
  }
  draft.seats.forEach((_, seat) => {
    lines.push([rules.seat(seat + 1), (of) => <Chance of={of.seats[seat]} />, less(difference?.seats[seat], 1, 100)]);
  });
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
          {lines.map(([name, of, between]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <b>{of(draft)}</b>
              </td>
              {original && <td>{of(original)}</td>}
              {original && <td>{between}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Rows({ draft, original, difference }: Sides) {
  const { rules } = words.value;
  if (draft.rows.length === 0) return null;
  const same = (found: Found | undefined, row: RowAnalysis) =>
    found?.rows.find(({ category, column, entry }) => category === row.category && column === row.column && entry === row.entry);
  const most = Math.max(1, ...draft.rows.map(({ meanPoints }) => meanPoints?.value ?? 0));
  const weighed = draft.rows.some(({ worth }) => worth);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={rules.rows}>
      <table class="figures rows-analysis">
        <caption>{rules.rows}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{rules.meanPoints}</th>
            {original && <th scope="col">{rules.difference}</th>}
            <th scope="col">{rules.nothing}</th>
            {weighed && <th scope="col">{rules.rowWorth}</th>}
            <th scope="col">{rules.filled}</th>
          </tr>
        </thead>
        <tbody>
          {draft.rows.map((row) => {
            const less = same(difference, row)?.meanPoints;
            return (
              <tr key={`${row.category} ${row.column} ${row.entry}`}>
                <th scope="row">{nameOf(row.category, row.column, row.entry)}</th>
                <td>
                  <span class="mean">
                    <span class="bar" aria-hidden="true">
                      <i style={{ width: `${Math.max(1, (100 * (row.meanPoints?.value ?? 0)) / most)}%` }} />
                    </span>
                    <b title={interval(row.meanPoints, (value) => number(value, 2))}>{number(row.meanPoints?.value ?? 0, 2)}</b>
                  </span>
                </td>
                {original && <td>{less ? signed(less.value, 2) : "–"}</td>}
                <td title={interval(row.zeroChance, percent)}>{percent(row.zeroChance?.value ?? 0)}</td>
                {weighed && <td>{row.worth ? number(row.worth.value, 1) : "–"}</td>}
                <td>
                  <Turns row={row} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** In which turns a row is filled, as a few bars. */
function Turns({ row }: { row: RowAnalysis }) {
  const { rules } = words.value;
  const chances = row.filledInTurn.map(({ value }) => value);
  const most = Math.max(...chances, Number.MIN_VALUE);
  const all = chances.reduce((sum, one) => sum + one, 0);
  const mean = chances.reduce((sum, one, turn) => sum + one * (turn + 1), 0) / (all || 1);
  const width = 64 / chances.length;
  return (
    <svg class="turns" viewBox="0 0 64 18" width="64" height="18" role="img" aria-label={rules.filledOnAverage(number(mean, 1))}>
      {chances.map((one, turn) => (
        <rect key={turn} x={turn * width} y={18 - (18 * one) / most} width={Math.max(0.5, width * 0.8)} height={(18 * one) / most} />
      ))}
    </svg>
  );
}

function Hands({ draft, original }: { draft: Found; original?: Found }) {
  const { rules } = words.value;
  if (draft.hands.length === 0) return null;
  const Worth = draft.expectedScore ? Points : Chance;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={rules.hands}>
      <table class="figures">
        <caption>{rules.hands}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{rules.thrownAtOnce}</th>
            <th scope="col">{rules.atTheEnd}</th>
            <th scope="col">{draft.expectedScore ? rules.returned : rules.wonWith}</th>
            {original && <th scope="col">{rules.original}</th>}
          </tr>
        </thead>
        <tbody>
          {draft.hands.map(({ hand, firstChance, finalChance, worth }) => (
            <tr key={hand}>
              <th scope="row">{nameOf(hand)}</th>
              <td>
                <Chance of={firstChance} />
              </td>
              <td>
                <Chance of={finalChance} />
              </td>
              <td>
                <b>
                  <Worth of={worth} />
                </b>
              </td>
              {original && (
                <td>
                  <Worth of={original.hands.find((other) => other.hand === hand)?.worth} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Levels({ draft }: { draft: Found }) {
  const { setup, rules } = words.value;
  const figure = ({ meanScore, winShare }: Found["opponents"][number]) => meanScore ?? winShare;
  const scored = draft.expectedScore !== undefined;
  const most = scored ? Math.max(draft.expectedScore!.value, ...draft.opponents.map((one) => figure(one)?.value ?? 0)) : 1;
  if (draft.opponents.length === 0) return null;
  return (
    <div class="levels">
      <h3>{rules.levels}</h3>
      <ul class="chance-rows">
        {draft.opponents.map((one) => {
          const level = one.opponent?.kind.case === "level" ? one.opponent.kind.value : 0;
          const mean = figure(one);
          return (
            <li key={level}>
              <span>{setup.level(level)}</span>
              <span class="bar" aria-hidden="true">
                <i style={{ width: `${Math.max(1, (100 * (mean?.value ?? 0)) / most)}%` }} />
              </span>
              <span class="figure" title={interval(mean, scored ? (value) => number(value, 1) : percent)}>
                {scored ? number(mean?.value ?? 0, 1) : percent(mean?.value ?? 0)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
