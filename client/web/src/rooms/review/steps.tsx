// All moves of a game, to jump to one.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Game } from "../../game/game";
import { Grade, type ReviewResponse, type Ruleset } from "../../rpc/contract";
import { number, words } from "../../i18n";
import { MoveLabel } from "../../parts/moves";
import { inChance as inChanceOf } from "../../game/family";
import * as s from "./study";
import { gradeClass, gradeName } from "./summary";

/** Whether only mistakes are listed. */
const onlyMistakes = signal(false);

const isMistake = (grade: Grade) => grade >= Grade.INACCURACY;

export function Steps({ game, review, ruleset }: { game: Game; review: ReviewResponse; ruleset: Ruleset }) {
  const { review: said } = words.value;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current;
    if (line && box) box.scrollTop = Math.max(0, line.offsetTop - box.clientHeight / 2);
  }, [s.chosen.value]);
  const inChance = inChanceOf(s.ruleset.value, game.seats.length);
  return (
    <section class="card" aria-labelledby="steps">
      <div class="row between">
        <h2 id="steps">{said.moves}</h2>
        <label class="check">
          <input type="checkbox" checked={onlyMistakes.value} onChange={(event) => (onlyMistakes.value = event.currentTarget.checked)} /> {said.onlyMistakes}
        </label>
      </div>
      <ol class="steps" ref={list}>
        {review.steps.map((step, index) =>
          onlyMistakes.value && !isMistake(step.grade) ? null : (
            <li key={index}>
              <button class="step" aria-current={s.chosen.value === index ? "step" : undefined} onClick={() => (s.chosen.value = index)}>
                {step.dice.length ? <i class={gradeClass(step.grade)} role="img" aria-label={gradeName(step.grade)} /> : <i class="grade" />}
                <span class="who">{game.seats[step.player]?.name}</span>
                <MoveLabel ruleset={ruleset} move={step.move} />
                <span class="figure">{step.regret >= 0.005 ? `−${inChance ? `${number(step.regret * 100, 1)} %` : number(step.regret, 1)}` : ""}</span>
              </button>
            </li>
          ),
        )}
      </ol>
    </section>
  );
}
