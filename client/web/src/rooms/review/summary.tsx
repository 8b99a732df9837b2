// The sums of a game for each player: luck, mistakes, and the grades of the moves.
import type { Game } from "../../game/game";
import { Grade, type ReviewResponse } from "../../rpc/contract";
import { number, signed, words } from "../../i18n";
import { inChance as inChanceOf } from "../../game/family";
import * as s from "./study";

const GRADES = [Grade.BEST, Grade.GOOD, Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER] as const;

export const gradeClass = (grade: Grade) => `grade grade-${Grade[grade]?.toLowerCase()}`;

export function gradeName(grade: Grade): string {
  const { review } = words.value;
  return review.grades[Grade[grade] as keyof typeof review.grades] ?? "";
}

export function Summary({ game, review }: { game: Game; review: ReviewResponse }) {
  const { review: said } = words.value;
  const inChance = inChanceOf(s.ruleset.value, game.seats.length);
  const figure = (value: number) => (inChance ? `${signed(value * 100)} %` : signed(value));
  return (
    <section class="card" aria-labelledby="summary">
      <h2 id="summary">{said.summary}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={said.summary}>
        <table class="figures">
          <thead>
            <tr>
              <td />
              <th scope="col">{said.luck}</th>
              <th scope="col">{said.mistakes}</th>
              <th scope="col">{said.result}</th>
            </tr>
          </thead>
          <tbody>
            {review.players.map((player, seat) => (
              <tr key={seat}>
                <th scope="row">{game.seats[seat]?.name}</th>
                <td class={player.luck >= 0 ? "good" : "bad"}>{figure(player.luck)}</td>
                <td class="bad">{figure(-player.regret)}</td>
                <td>
                  <b>{number(review.position?.showdown?.players[seat]?.roundsWon ?? review.totals[seat]?.grandTotal ?? 0)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {review.players.map((player, seat) => {
        const counts = GRADES.map((grade) => player.grades.find((one) => one.grade === grade)?.count ?? 0);
        const all = counts.reduce((sum, count) => sum + count, 0);
        if (!all) return null;
        const text = GRADES.map((grade, index) => `${gradeName(grade)} ${counts[index]}`).join(", ");
        return (
          <div key={seat} class="grade-line">
            <span>{game.seats[seat]?.name}</span>
            <span class="grade-bar" role="img" aria-label={text} title={text}>
              {GRADES.map((grade, index) => counts[index]! > 0 && <i key={grade} class={gradeClass(grade)} style={{ flexGrow: counts[index]! }} />)}
            </span>
          </div>
        );
      })}
      <ul class="legend">
        {GRADES.map((grade) => (
          <li key={grade}>
            <i class={gradeClass(grade)} /> {gradeName(grade)}
          </li>
        ))}
      </ul>
    </section>
  );
}
