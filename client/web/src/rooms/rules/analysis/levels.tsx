// What opponents of several levels score or win, as bars.
import type { Analysis } from "../../../rpc/contract";
import { number, percent, words } from "../../../i18n";
import { interval } from "./figure";

export function Levels({ draft }: { draft: Analysis }) {
  const { setup, rules } = words.value;
  const { expectedScore, opponents } = draft;
  if (opponents.length === 0) return null;
  const figureOf = ({ meanScore, winShare }: Analysis["opponents"][number]) => meanScore ?? winShare;
  const write = expectedScore ? (value: number) => number(value, 1) : percent;
  const most = expectedScore ? Math.max(expectedScore.value, ...opponents.map((one) => figureOf(one)?.value ?? 0)) : 1;
  return (
    <div class="levels">
      <h3>{rules.levels}</h3>
      <ul class="chance-rows">
        {opponents.map((one) => {
          const level = one.opponent?.kind.case === "level" ? one.opponent.kind.value : 0;
          const figure = figureOf(one);
          return (
            <li key={level}>
              <span>{setup.level(level)}</span>
              <span class="bar" aria-hidden="true">
                <i style={{ width: `${Math.max(1, (100 * (figure?.value ?? 0)) / most)}%` }} />
              </span>
              <span class="figure" title={interval(figure, write)}>
                {write(figure?.value ?? 0)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
