// A board of the race: rows of cells that fill from left to right.
import type { ComponentChildren } from "preact";

import type { Category, Ruleset, Scorecard, ScorecardTotals } from "../rpc/contract";
import { categoryName, number, words } from "../i18n";

export interface BoardProps {
  ruleset: Ruleset;
  head: string;
  card: Scorecard | undefined;
  totals: ScorecardTotals | undefined;
  active: boolean;
  fresh?: string;
  /** The content of the next cell of a row. */
  open?: (category: Category) => ComponentChildren;
  /** The content of every cell, instead of the points. */
  cell?: (category: Category, place: number) => ComponentChildren;
}

export function Board({ ruleset, head, card, totals, active, fresh, open, cell }: BoardProps) {
  const { sheet } = words.value;
  const rows = ruleset.definition?.categories ?? [];
  const width = Math.max(1, ...rows.map((row) => row.raceRow?.minimums.length ?? 0));
  return (
    <div class={`scroll board ${active ? "active" : ""}`} tabIndex={0} role="region" aria-label={head}>
      <table class="race">
        <caption>
          {head} {totals && <b>{number(totals.grandTotal)}</b>}
        </caption>
        <tbody>
          {rows.map((row) => {
            const points = card?.entries.find(({ category }) => category === row.id)?.points ?? [];
            const sum = totals?.rows.find(({ category }) => category === row.id);
            const minimums = row.raceRow?.minimums ?? [];
            return (
              <tr key={row.id} class={sum?.closed ? "closed" : ""}>
                <th scope="row" title={row.description}>
                  {categoryName(row)} {(row.raceRow?.multiplier ?? 1) > 1 && <small>×{row.raceRow?.multiplier}</small>}
                </th>
                {Array.from({ length: width }, (_, place) => (
                  <td key={place} class={`${place >= minimums.length ? "none" : ""} ${place < points.length ? "filled" : ""} ${fresh === row.id && place === points.length - 1 ? "fresh" : ""}`}>
                    {place >= minimums.length ? null : cell ? (
                      cell(row, place)
                    ) : place < points.length ? (
                      number(points[place]!)
                    ) : (
                      (place === points.length && !sum?.closed && open?.(row)) || (minimums[place] ? <small class="least" aria-label={sheet.atLeast(minimums[place])}>{`≥${minimums[place]}`}</small> : null)
                    )}
                  </td>
                ))}
                <td class="row-sum">
                  {sum?.points ? number(sum.points) : ""}
                  {sum?.doubled && <small title={sheet.doubled}> ×2</small>}
                  {sum?.closed && <span class="lock" role="img" aria-label={sheet.closed}>●</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
