// How often each hand of a showdown is thrown, and what it is worth, as a table.
import { words } from "../../../i18n";
import { nameOf } from "../names";
import type { Sides } from "./analysis";
import { Chance, Points } from "./figure";

export function Hands({ draft, original }: Sides) {
  const { rules } = words.value;
  if (draft.hands.length === 0) return null;
  const Worth = draft.expectedScore ? Points : Chance;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={rules.hands}>
      <table class="figures hands-analysis">
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
