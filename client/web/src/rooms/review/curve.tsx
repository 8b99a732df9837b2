// The course of a game as a curve: expected results, or luck and mistakes of one player.
import { signal } from "@preact/signals";
import { useCallback, useMemo } from "preact/hooks";
import type uPlot from "uplot";

import type { Game } from "../../game/game";
import type { ReviewResponse } from "../../rpc/contract";
import { number, words } from "../../i18n";
import { axes, Plot } from "../../parts/plot";
import { inChance as inChanceOf } from "../../game/family";
import * as s from "./study";

/** Colours of the players' lines, by name. */
export const LINES = ["accent", "gold", "blue", "bad", "muted", "ink"];

/** The player whose luck and mistakes are shown; without one, the expected results of all. */
const seat = signal(-1);

export function Curve({ game, review }: { game: Game; review: ReviewResponse }) {
  const { review: said } = words.value;
  const inChance = inChanceOf(s.ruleset.value, game.seats.length);
  const shown = seat.value < game.seats.length ? seat.value : -1;
  const data = useMemo<uPlot.AlignedData>(() => {
    const lines = shown < 0 ? s.expectations(review) : s.balance(review, shown);
    const scale = inChance ? 100 : 1;
    const xs = Array.from({ length: review.steps.length + 1 }, (_, index) => index);
    return [xs, ...lines.map((line) => line.map((value) => (value === null ? null : value * scale)))];
  }, [review, shown, inChance]);
  const options = useCallback(
    (colour: (name: string) => string): Omit<uPlot.Options, "width" | "height"> => ({
      cursor: { y: false, points: { size: 7 } },
      legend: { show: false },
      scales: { x: { time: false } },
      axes: axes(colour, (value) => number(value), (value) => (inChance ? `${number(value)} %` : number(value)), 48),
      series: [
        {},
        ...(shown < 0
          ? game.seats.map((_, index) => ({ stroke: colour(LINES[index % LINES.length]!), width: 2, points: { show: false } }))
          : [
              { stroke: colour("accent"), width: 2, points: { show: false } },
              { stroke: colour("bad"), width: 2, points: { show: false } },
            ]),
      ],
      hooks: {
        ready: [
          (plot) =>
            plot.over.addEventListener("click", () => {
              const { idx } = plot.cursor;
              if (idx) s.chosen.value = Math.min(idx, review.steps.length) - 1;
            }),
        ],
        draw: [
          (plot) => {
            const x = plot.valToPos(s.chosen.peek() + 1, "x", true);
            const { ctx, bbox } = plot;
            ctx.save();
            ctx.strokeStyle = colour("muted");
            ctx.setLineDash([4, 4]);
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
            ctx.restore();
          },
        ],
      },
    }),
    [review, shown, inChance, game, s.chosen.value],
  );
  const legend = shown < 0 ? game.seats.map(({ name }, index) => [name, LINES[index % LINES.length]!] as const) : ([[said.luck, "accent"], [said.mistakes, "bad"]] as const);
  return (
    <section class="card" aria-labelledby="curve">
      <div class="row between">
        <h2 id="curve">{shown < 0 ? (inChance ? said.curveChance : said.curve) : said.balance(game.seats[shown]!.name)}</h2>
        <div class="segments" role="group" aria-label={said.show}>
          <button aria-pressed={shown < 0} onClick={() => (seat.value = -1)}>
            {said.all}
          </button>
          {game.seats.map(({ name }, index) => (
            <button key={index} aria-pressed={shown === index} onClick={() => (seat.value = index)}>
              {name}
            </button>
          ))}
        </div>
      </div>
      <Plot data={data} height={220} options={options} label={said.curveLabel(review.steps.length)} />
      <ul class="legend">
        {legend.map(([name, colour]) => (
          <li key={name}>
            <i class={`line-${colour}`} /> {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
