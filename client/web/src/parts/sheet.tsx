// A score sheet: rows from top to bottom, a column for each player.
import type { ComponentChildren } from "preact";

import { type Category, type Ruleset, type Scorecard, type ScorecardTotals, Section } from "../rpc/contract";
import { categoryName, number, words } from "../i18n";

export interface SheetProps {
  ruleset: Ruleset;
  heads: string[];
  cards: Scorecard[];
  totals: ScorecardTotals[];
  /** Whose turn it is. */
  active?: number;
  /** What stands in an open cell. */
  open?: (seat: number, category: Category) => ComponentChildren;
  /** What stands in every cell, instead of the points. */
  cell?: (seat: number, category: Category) => ComponentChildren;
  /** The cell that was filled last. */
  last?: { seat: number; category: string };
  caption: string;
}

export function Sheet(props: SheetProps) {
  const { ruleset, heads, active } = props;
  const { sheet } = words.value;
  const rows = ruleset.definition?.categories ?? [];
  const upper = rows.filter((row) => row.section === Section.UPPER);
  const lower = rows.filter((row) => row.section !== Section.UPPER);
  const bonuses = ruleset.definition?.upperBonuses ?? [];
  const total = (name: string, of: (totals: ScorecardTotals) => number, kind = "sum") => (
    <tr class={kind}>
      <th scope="row">{name}</th>
      {heads.map((_, seat) => (
        <td key={seat} class={seat === active ? "active" : ""}>
          {number(props.totals[seat] ? of(props.totals[seat]) : 0)}
        </td>
      ))}
    </tr>
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table class="sheet">
        <caption class="hidden">{props.caption}</caption>
        <thead>
          <tr>
            <td />
            {heads.map((head, seat) => (
              <th key={seat} scope="col" class={seat === active ? "active" : ""} aria-current={seat === active ? "true" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {upper.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
          {bonuses.length > 0 && (
            <tr class="sum bonus">
              <th scope="row">
                {sheet.bonus} <small>{bonuses.map(({ threshold, points }) => sheet.threshold(threshold, points)).join(" · ")}</small>
              </th>
              {heads.map((_, seat) => {
                const sums = props.totals[seat];
                const next = bonuses.find(({ threshold }) => (sums?.upperSubtotal ?? 0) < threshold) ?? bonuses.at(-1)!;
                return (
                  <td key={seat} class={seat === active ? "active" : ""}>
                    {sums?.upperBonus ? `+${number(sums.upperBonus)}` : <span class="progress-note">{`${number(sums?.upperSubtotal ?? 0)}/${number(next.threshold)}`}</span>}
                    <progress max={next.threshold} value={Math.min(sums?.upperSubtotal ?? 0, next.threshold)} aria-hidden="true" />
                  </td>
                );
              })}
            </tr>
          )}
        </tbody>
        <tbody>
          {lower.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
          {(ruleset.definition?.fiveAlikeBonus ?? 0) > 0 && total(sheet.furtherAlike, (sums) => sums.fiveAlikeBonus, "sum quiet")}
        </tbody>
        <tfoot>{total(sheet.total, (sums) => sums.grandTotal, "grand")}</tfoot>
      </table>
    </div>
  );
}

function Row({ row, heads, cards, active, open, cell, last }: SheetProps & { row: Category }) {
  return (
    <tr>
      <th scope="row" title={row.description}>
        {categoryName(row)}
      </th>
      {heads.map((_, seat) => {
        const entry = cards[seat]?.entries.find(({ category }) => category === row.id);
        const fresh = last?.seat === seat && last.category === row.id;
        return (
          <td key={seat} class={`${seat === active ? "active" : ""} ${fresh ? "fresh" : ""}`}>
            {cell ? cell(seat, row) : entry ? <span class="points">{entry.points.map((points) => number(points)).join(" ")}</span> : open?.(seat, row)}
          </td>
        );
      })}
    </tr>
  );
}
