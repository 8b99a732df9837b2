// What becomes of each row, as a table.
import type { Analysis, RowAnalysis } from "../../../rpc/contract";
import { number, percent, signed, words } from "../../../i18n";
import { isRace } from "../../../game/family";
import * as d from "../draft";
import { nameOf } from "../names";
import type { Sides } from "./analysis";
import { interval } from "./figure";

export function Rows({ draft, original, difference }: Sides) {
  const { rules } = words.value;
  if (draft.rows.length === 0) return null;
  const same = (side: Analysis | undefined, row: RowAnalysis) =>
    side?.rows.find(({ category, column, entry }) => category === row.category && column === row.column && entry === row.entry);
  const most = Math.max(1, ...draft.rows.map(({ meanPoints }) => meanPoints?.value ?? 0));
  const race = isRace(d.ruleset.value);
  const hasWorth = draft.rows.some(({ worth }) => worth);
  const caption = race ? rules.rowsStrongest : rules.rows;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="figures rows-analysis">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{rules.meanPoints}</th>
            {original && <th scope="col">{rules.difference}</th>}
            <th scope="col">{rules.nothing}</th>
            {hasWorth && <th scope="col">{rules.rowWorth}</th>}
            {race ? (
              <>
                <th scope="col">{rules.closed}</th>
                <th scope="col">{rules.endsGame}</th>
              </>
            ) : (
              <th scope="col">{rules.filled}</th>
            )}
          </tr>
        </thead>
        <tbody>
          {draft.rows.map((row) => {
            const change = same(difference, row)?.meanPoints;
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
                {original && <td>{change ? signed(change.value, 2) : "–"}</td>}
                <td title={interval(row.zeroChance)}>{percent(row.zeroChance?.value ?? 0)}</td>
                {hasWorth && <td>{row.worth ? number(row.worth.value, 1) : "–"}</td>}
                {race ? (
                  <>
                    <td title={interval(row.closedChance)}>{percent(row.closedChance?.value ?? 0)}</td>
                    <td title={interval(row.endsGameChance)}>{percent(row.endsGameChance?.value ?? 0)}</td>
                  </>
                ) : (
                  <td>
                    <Turns row={row} />
                  </td>
                )}
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
