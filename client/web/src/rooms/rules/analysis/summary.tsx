// The figures of whole games: score, bonuses, throws, seats.
import type { ComponentChildren } from "preact";

import type { Analysis, Figure } from "../../../rpc/contract";
import { number, signed, words } from "../../../i18n";
import { isRace } from "../../../game/family";
import * as d from "../draft";
import { nameOf } from "../names";
import type { Sides } from "./analysis";
import { Chance, Points } from "./figure";
import { percentile } from "./histogram";

/** A row of the table: its name, its text of one side, and the difference of both. */
type Line = [name: string, of: (side: Analysis) => ComponentChildren, difference: string];

export function Summary({ draft, original, difference }: Sides) {
  const { rules } = words.value;
  const change = (figure: Figure | undefined, digits: number, scale = 1) => (figure ? signed(scale * figure.value, digits) : "");
  const lines: Line[] = [];
  if (draft.expectedScore) {
    lines.push([isRace(d.ruleset.value) ? rules.meanStrongest : rules.mean, (of) => <Points of={of.expectedScore} />, change(difference?.expectedScore, 2)]);
    lines.push([rules.deviation, (of) => <Points of={of.standardDeviation} />, change(difference?.standardDeviation, 2)]);
    const at = (share: number) => (side: Analysis) => number(percentile(side.finalScores, share));
    const between = (share: number) => (original ? signed(percentile(draft.finalScores, share) - percentile(original.finalScores, share), 0) : "");
    for (const [name, share] of [[rules.lowest, 0.05], [rules.median, 0.5], [rules.highest, 0.95]] as const) lines.push([name, at(share), between(share)]);
  }
  for (const bonus of draft.bonuses) {
    const same = (side: Analysis | undefined) => side?.bonuses.find(({ field, column }) => field === bonus.field && column === bonus.column);
    lines.push([nameOf(bonus.field, bonus.column), (of) => <Chance of={same(of)?.chance} />, change(same(difference)?.chance, 1, 100)]);
  }
  for (const { throws } of draft.throws) {
    const same = (side: Analysis | undefined) => side?.throws.find((other) => other.throws === throws)?.worth;
    lines.push([rules.withThrows(throws), (of) => change(same(of), 2), change(same(difference), 2)]);
  }
  draft.seats.forEach((_, seat) => {
    lines.push([rules.seat(seat + 1), (of) => <Chance of={of.seats[seat]} />, change(difference?.seats[seat], 1, 100)]);
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
