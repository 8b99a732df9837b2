// The response: the best move, all others, and the distribution of the final score.
import { useState } from "preact/hooks";

import type { Ruleset, ScoreDistribution, SuggestResponse } from "../../rpc/contract";
import { number, percent, rowName, words } from "../../i18n";
import { MoveLabel, moveText, Ranking, unitOf, valueOf, worth } from "../../parts/moves";
import { isSheet, playersIn } from "../../game/family";
import { Distribution } from "./distribution";
import * as q from "./question";

/** Moves shown before the reader expands the list. */
const FEW = 8;

export function Results({ ruleset, answer }: { ruleset: Ruleset; answer: SuggestResponse }) {
  const { analyse } = words.value;
  const [all, setAll] = useState(false);
  const unit = unitOf(answer, ruleset, playersIn(q.question.value.position!));
  const best = answer.alternatives[0];
  const pointed = answer.alternatives[q.pointed.value] ?? best;
  const explanation = q.explanation.value;
  if (!best) return null;
  return (
    <>
      <section class="card verdict" aria-live="polite">
        <p class="verdict-move">
          <MoveLabel ruleset={ruleset} move={best.move} />
        </p>
        <p class="verdict-worth">
          <b>{worth(valueOf(best), unit)}</b> <small>{unit === "points" ? analyse.expected : analyse.chance}</small>
          {!answer.exact && <small> · {analyse.estimate}</small>}
        </p>
        {explanation && <p class="plan">{explanation.plan}</p>}
      </section>
      <div class="result-pair">
        <section class="card" aria-labelledby="ranked">
          <h2 id="ranked">{analyse.allMoves(answer.alternatives.length)}</h2>
          <Ranking
            ruleset={ruleset}
            answer={answer}
            unit={unit}
            most={all ? Infinity : FEW}
            pointed={q.pointed.value}
            onPoint={q.point}
          />
          {answer.alternatives.length > FEW && (
            <button class="button small quiet" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? analyse.showFewer : analyse.showAll}
            </button>
          )}
        </section>
        <section class="card" aria-labelledby="distribution">
          <h2 id="distribution">{moveText(ruleset, pointed?.move)}</h2>
          {pointed && <Facts alternative={pointed} inPoints={isSheet(ruleset)} />}
          {explanation?.score && <Spread score={explanation.score} />}
          {explanation && (
            <ul class="chance-rows">
              {explanation.categoryChances
                .filter(({ recorded }) => recorded >= 0.005)
                .sort((a, b) => b.recorded - a.recorded)
                .slice(0, 8)
                .map(({ category, recorded, made }) => (
                  <li key={category}>
                    <span>{rowName(ruleset, category)}</span>
                    <span class="bar" role="img" aria-label={analyse.recorded(percent(recorded, 0), percent(made, 0))}>
                      <i style={{ width: `${100 * recorded}%` }} />
                    </span>
                    <span class="figure">{percent(recorded, 0)}</span>
                  </li>
                ))}
            </ul>
          )}
        </section>
      </div>
    </>
  );
}

function Facts({ alternative, inPoints }: { alternative: SuggestResponse["alternatives"][number]; inPoints: boolean }) {
  const { analyse } = words.value;
  const { chances, targetProbability, expectedMargin, expectedValue, regret } = alternative;
  const facts: [string, string][] = [];
  if (chances) facts.push([analyse.win, percent(chances.win)], [analyse.draw, percent(chances.draw)], [analyse.loss, percent(chances.loss)]);
  if (targetProbability !== undefined) facts.push([analyse.reaches, percent(targetProbability)]);
  if (expectedMargin !== undefined) facts.push([analyse.chance, percent(expectedValue)], [analyse.margin, number(expectedMargin, 1)]);
  else if (inPoints || !chances) facts.push([inPoints ? analyse.points : analyse.value, number(expectedValue, 2)]);
  facts.push([analyse.regret, chances || targetProbability !== undefined || expectedMargin !== undefined ? percent(regret) : number(regret, 2)]);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Spread({ score }: { score: ScoreDistribution }) {
  const { analyse } = words.value;
  return (
    <>
      <h3>{analyse.finalScore}</h3>
      <Distribution score={score} />
    </>
  );
}
