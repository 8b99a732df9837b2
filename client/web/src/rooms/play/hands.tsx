// The table of a showdown: all players' dice, their hands, and the rounds won.
import * as play from "../../game/play";
import type { HandScore, Ruleset } from "../../rpc/contract";
import { language, number, percent, words } from "../../i18n";
import { FacePicture, spoken } from "../../parts/die";

/** The name of a hand in the reader's language. */
export function handName(ruleset: Ruleset | undefined, { hand, title }: Pick<HandScore, "hand" | "title">): string {
  const found = ruleset?.definition?.showdown?.hands.find(({ id }) => id === hand);
  const named = words.value.handNames[hand as keyof typeof words.value.handNames];
  return found?.localTitles[language.value] ?? named ?? (title || hand.replaceAll("_", " "));
}

function HandDice({ ruleset, faces }: { ruleset: Ruleset; faces: number[] }) {
  return (
    <span class="hand-dice" role="img" aria-label={faces.map((face) => spoken(ruleset, face)).join(" ")}>
      {faces.map((face, place) => (
        <span class="cube" key={place}>
          <FacePicture ruleset={ruleset} value={face} />
        </span>
      ))}
    </span>
  );
}

function HandText({ ruleset, score }: { ruleset: Ruleset; score: HandScore }) {
  const { hands } = words.value;
  return (
    <span class="hand-text">
      <b>{handName(ruleset, score)}</b> <small>{score.pays !== undefined ? hands.pays(score.pays) : hands.beats(percent(score.beats, 0))}</small>
      {score.pays === undefined && (
        <span class="bar" aria-hidden="true">
          <i style={{ width: `${100 * score.beats}%` }} />
        </span>
      )}
    </span>
  );
}

export function Hands() {
  const { hands } = words.value;
  const game = play.game.value!;
  const ruleset = play.ruleset.value!;
  const { showdown, toMove, dice } = game.position;
  const needed = Math.max(1, ruleset.definition?.showdown?.winsNeeded ?? 1);
  const players = showdown?.players ?? [];
  const facesOf = (seat: number) => (seat === toMove && dice.length ? dice : (players[seat]?.dice ?? []));
  const sameFaces = (one: number[], other: number[]) => [...one].sort().join() === [...other].sort().join();
  const { stakes } = showdown ?? {};
  return (
    <>
      <section class="card" aria-labelledby="hands">
        <div class="row between">
          <h2 id="hands">{hands.title}</h2>
          {stakes && (
            <span class="stakes">
              {hands.stake(Math.max(1, stakes.stake))} {stakes.offered > 0 && `· ${hands.offered(stakes.offered)}`}
            </span>
          )}
        </div>
        <ul class="hands">
          {game.seats.map(({ name }, seat) => {
            const faces = facesOf(seat);
            const known = [...play.hands.value, ...(play.lastRound.value?.hands ?? [])];
            const score = known.find((one) => sameFaces(one.dice, faces));
            return (
              <li key={seat} class={!game.over && seat === toMove ? "active" : ""} aria-current={!game.over && seat === toMove ? "true" : undefined}>
                <span class="hand-name">
                  {name}
                  {needed > 1 && (
                    <span class="rounds" role="img" aria-label={hands.rounds(players[seat]?.roundsWon ?? 0, needed)}>
                      {Array.from({ length: needed }, (_, index) => (
                        <i key={index} class={index < (players[seat]?.roundsWon ?? 0) ? "won" : ""} />
                      ))}
                    </span>
                  )}
                </span>
                {faces.length ? <HandDice ruleset={ruleset} faces={faces} /> : <small>{hands.none}</small>}
                {faces.length > 0 && score && <HandText ruleset={ruleset} score={score} />}
              </li>
            );
          })}
        </ul>
      </section>
      <LastRound />
      <Order />
    </>
  );
}

function LastRound() {
  const { hands } = words.value;
  const round = play.lastRound.value;
  const game = play.game.value!;
  const ruleset = play.ruleset.value!;
  if (!round) return null;
  const names = round.winners.map((seat) => game.seats[seat]!.name);
  return (
    <section class="card" aria-labelledby="round" aria-live="polite">
      <h2 id="round">{hands.round}</h2>
      <p class="plan">
        {round.gaveUp !== undefined && `${hands.gave(game.seats[round.gaveUp]!.name)}. `}
        {round.paid !== undefined ? hands.paid(number(round.paid)) : names.length > 1 ? hands.tie(names) : hands.won(names)}
      </p>
      <ul class="hands">
        {round.hands.map((score, seat) => (
          <li key={seat} class={round.winners.includes(seat) ? "winner" : ""}>
            <span class="hand-name">{game.seats[seat]?.name}</span>
            <HandDice ruleset={ruleset} faces={score.dice} />
            <span class="hand-text">
              <b>{score.dice.length ? handName(ruleset, score) : ""}</b>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The order of hands, best first, with how many of all throws each is. */
function Order() {
  const { rules } = words.value;
  const ruleset = play.ruleset.value!;
  const list = ruleset.definition?.showdown?.hands ?? [];
  const all = list.reduce((sum, { throws }) => sum + Number(throws), 0);
  return (
    <details class="card">
      <summary>{rules.fields.hands}</summary>
      <ol class="chance-rows">
        {list.map(({ id, title, throws, pays }) => (
          <li key={id}>
            <span>{handName(ruleset, { hand: id, title })}</span>
            <span class="bar" aria-hidden="true">
              <i style={{ width: all ? `${(100 * Number(throws)) / all}%` : 0 }} />
            </span>
            <span class="figure">{pays || (all ? percent(Number(throws) / all, 1) : "")}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
