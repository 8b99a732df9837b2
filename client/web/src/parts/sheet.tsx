// A score sheet: rows from top to bottom, one or more columns for each player.
import type { ComponentChildren } from "preact";

import { type Category, type Ruleset, type Scorecard, type ScorecardTotals, Section } from "../rpc/contract";
import { categoryName, number, words } from "../i18n";
import { columnName, columnSign, columnsOf, sameBox, type Box } from "./box";

export interface SheetProps {
  ruleset: Ruleset;
  heads: string[];
  cards: Scorecard[];
  totals: ScorecardTotals[];
  /** Whose turn it is. */
  active?: number;
  /** The content of a box that is not full. */
  open?: (seat: number, box: Box) => ComponentChildren;
  /** The content of every box, instead of the points. */
  cell?: (seat: number, box: Box) => ComponentChildren;
  /** The box that was filled last. */
  last?: { seat: number; box: Box };
  caption: string;
}

export function Sheet(props: SheetProps) {
  const { ruleset, heads, active } = props;
  const { sheet } = words.value;
  const columns = columnsOf(ruleset.definition);
  const wide = columns.length > 1;
  const rows = ruleset.definition?.categories ?? [];
  const upper = rows.filter((row) => row.section === Section.UPPER);
  const lower = rows.filter((row) => row.section !== Section.UPPER);
  const bonuses = ruleset.definition?.upperBonuses ?? [];
  const total = (name: string, of: (totals: ScorecardTotals) => number, kind = "sum") => (
    <tr class={kind}>
      <th scope="row">{name}</th>
      {heads.map((_, seat) => (
        <td key={seat} colSpan={columns.length} class={seat === active ? "active" : ""}>
          {number(props.totals[seat] ? of(props.totals[seat]) : 0)}
        </td>
      ))}
    </tr>
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table class={`sheet ${wide ? "wide" : ""}`}>
        <caption class="hidden">{props.caption}</caption>
        <thead>
          <tr>
            <td />
            {heads.map((head, seat) => (
              <th key={seat} scope="colgroup" colSpan={columns.length} class={seat === active ? "active" : ""} aria-current={seat === active ? "true" : undefined}>
                {head}
              </th>
            ))}
          </tr>
          {wide && (
            <tr class="columns">
              <td />
              {heads.map((_, seat) =>
                columns.map((column) => (
                  <th key={`${seat} ${column.id}`} scope="col" class={seat === active ? "active" : ""} title={columnName(column)}>
                    {columnName(column)}
                    {columnSign(column) && <small> {columnSign(column)}</small>}
                  </th>
                )),
              )}
            </tr>
          )}
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
                  <td key={seat} colSpan={columns.length} class={seat === active ? "active" : ""}>
                    {sums?.upperBonus || wide ? `+${number(sums?.upperBonus ?? 0)}` : <span class="progress-note">{`${number(sums?.upperSubtotal ?? 0)}/${number(next.threshold)}`}</span>}
                    {!wide && <progress max={next.threshold} value={Math.max(0, Math.min(sums?.upperSubtotal ?? 0, next.threshold))} aria-hidden="true" />}
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
        <tfoot>
          {props.totals.some((sums) => sums.other !== 0) && total(sheet.other, (sums) => sums.other, "sum quiet")}
          {total(sheet.total, (sums) => sums.grandTotal, "grand")}
        </tfoot>
      </table>
    </div>
  );
}

function Row({ row, ruleset, heads, cards, active, open, cell, last }: SheetProps & { row: Category }) {
  const columns = columnsOf(ruleset.definition);
  const places = Math.max(1, row.entries);
  return (
    <tr>
      <th scope="row" title={row.description}>
        {categoryName(row)}
      </th>
      {heads.map((_, seat) =>
        columns.map((column) => {
          const box: Box = { category: row.id, column: column.id };
          const points = cards[seat]?.entries.find((entry) => sameBox(entry, box))?.points ?? [];
          const fresh = last?.seat === seat && sameBox(last.box, box);
          return (
            <td key={`${seat} ${column.id}`} class={`${seat === active ? "active" : ""} ${fresh ? "fresh" : ""}`}>
              {cell ? (
                cell(seat, box)
              ) : (
                <span class="box">
                  {points.length > 0 && <span class="points">{points.map((one) => number(one)).join(" ")}</span>}
                  {points.length < places && open?.(seat, box)}
                </span>
              )}
            </td>
          );
        }),
      )}
    </tr>
  );
}
