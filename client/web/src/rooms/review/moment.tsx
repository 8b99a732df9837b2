// One moment of a game: the move, and the best move.
import { toJson } from "@bufbuild/protobuf";
import { useEffect } from "preact/hooks";

import type { Game } from "../../game/game";
import { inChance, isRace } from "../../game/family";
import { pack } from "../../game/packed";
import { PositionSchema, type ReviewResponse, type Ruleset } from "../../rpc/contract";
import { number, signed, words } from "../../i18n";
import { Board } from "../../parts/board";
import { FacePicture, SmallDice } from "../../parts/die";
import { Icon } from "../../parts/icon";
import { MoveLabel, worth } from "../../parts/moves";
import { Sheet } from "../../parts/sheet";
import { go } from "../../route";
import { rulesToJson } from "../../rpc/rules";
import * as s from "./study";
import { gradeClass, gradeName } from "./summary";

export function Moment({ game, review, ruleset }: { game: Game; review: ReviewResponse; ruleset: Ruleset }) {
  const { review: said, table, sheet } = words.value;
  const index = s.chosen.value;
  const step = review.steps[index];
  const position = s.positions.value[index];
  const count = review.steps.length;
  const to = (next: number) => (s.chosen.value = Math.max(0, Math.min(count - 1, next)));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (/INPUT|SELECT|TEXTAREA/.test((event.target as HTMLElement).tagName)) return;
      if (event.key === "ArrowLeft") to(s.chosen.value - 1);
      else if (event.key === "ArrowRight") to(s.chosen.value + 1);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [count]);
  if (!step) return null;
  const unit = inChance(ruleset, game.seats.length) ? "chance" : "points";
  const { thrown, recorded } = game.steps[index]!;
  const analyse = async () => {
    const request = { ...rulesToJson(game.rules), position: toJson(PositionSchema, position!) };
    go("analyse", { request: await pack(request) });
  };
  return (
    <section class="card moment" aria-labelledby="moment">
      <div class="row between">
        <h2 id="moment">{said.step(index + 1, count, game.seats[step.player]?.name ?? "")}</h2>
        <div class="row">
          <button class="button small" disabled={index === 0} onClick={() => to(index - 1)}>
            ← {said.before}
          </button>
          <button class="button small" disabled={index === count - 1} onClick={() => to(index + 1)}>
            {said.after} →
          </button>
        </div>
      </div>
      <div class="moment-body" aria-live="polite">
        {step.dice.length > 0 && (
          <div class="setting-dice small" role="img" aria-label={step.dice.join(" ")}>
            {step.dice.map((face, place) => (
              <span class="cube" key={place}>
                <FacePicture ruleset={ruleset} value={face} />
              </span>
            ))}
          </div>
        )}
        <dl class="played">
          <dt>{said.played}</dt>
          <dd>
            <MoveLabel ruleset={ruleset} move={step.move} />{" "}
            {step.dice.length > 0 && (
              <span class="grade-name">
                <i class={gradeClass(step.grade)} aria-hidden="true" /> {gradeName(step.grade)}
              </span>
            )}
          </dd>
          {step.regret > 5e-5 && (
            <>
              <dt>{said.better}</dt>
              <dd>
                <MoveLabel ruleset={ruleset} move={step.bestMove} /> <small>{said.wouldHave(worth(step.bestValue, unit), worth(step.regret, unit))}</small>
              </dd>
            </>
          )}
          {thrown.length > 0 && (
            <>
              <dt>{said.thrown}</dt>
              <dd>
                <SmallDice ruleset={ruleset} faces={thrown} />{" "}
                <small class={step.luck >= 0 ? "good" : "bad"}>
                  {said.luck} {unit === "chance" ? `${signed(step.luck * 100)} %` : signed(step.luck)}
                </small>
              </dd>
            </>
          )}
          {recorded && (
            <>
              <dt>{said.wrote}</dt>
              <dd>
                {number(recorded.points)}
                {recorded.bonus > 0 && ` + ${number(recorded.bonus)}`}
              </dd>
            </>
          )}
        </dl>
        {position && position.dice.length > 0 && (
          <p>
            <button class="button small" onClick={() => void analyse()}>
              <Icon name="analyse" /> {table.analyse}
            </button>
          </p>
        )}
      </div>
      {position &&
        (position.showdown ? (
          <ul class="hands">
            {game.seats.map(({ name }, seat) => (
              <li key={seat} class={seat === step.player ? "active" : ""}>
                <span class="hand-name">{name}</span>
                <SmallDice ruleset={ruleset} faces={seat === step.player && position.dice.length ? position.dice : (position.showdown!.players[seat]?.dice ?? [])} />
              </li>
            ))}
          </ul>
        ) : isRace(ruleset) ? (
          <div class="boards">
            {game.seats.map(({ name }, seat) => (
              <Board key={seat} ruleset={ruleset} head={name} card={position.scorecards[seat]} totals={undefined} active={seat === step.player} />
            ))}
          </div>
        ) : (
          <details>
            <summary>{said.cards}</summary>
            <Sheet ruleset={ruleset} heads={game.seats.map(({ name }) => name)} cards={position.scorecards} totals={[]} active={step.player} caption={sheet.total} />
          </details>
        ))}
    </section>
  );
}
