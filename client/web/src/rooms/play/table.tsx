// The game on the table: dice, cards, hints, and the end.
import { useEffect } from "preact/hooks";

import { gameToJson } from "../../game/game";
import { pack } from "../../game/packed";
import * as play from "../../game/play";
import { saveJson } from "../../game/store";
import { isRace, isShowdown } from "../../game/family";
import * as table from "../../game/table";
import type { Move } from "../../rpc/contract";
import { number, rulesetName, words } from "../../i18n";
import { Board } from "../../parts/board";
import { boxName, sameBox, type Box } from "../../parts/box";
import { BigDie, spoken } from "../../parts/die";
import { Icon } from "../../parts/icon";
import { moveText, otherText, Ranking, unitOf, worth } from "../../parts/moves";
import { Notice } from "../../parts/notice";
import { Sheet } from "../../parts/sheet";
import { Hands } from "./hands";
import { carry, go, route } from "../../route";
import { rulesToJson } from "../../rpc/rules";

/** Moves that the hints show. */
const HINTS = 5;

const recordMove = ({ category, column }: Box) => ({ kind: { case: "record" as const, value: { category, column } } });

const announceMove = ({ category, column }: Box) => ({ kind: { case: "announce" as const, value: { category, column } } });

function throwDice(): void {
  const faces = play.game.value?.position.dice.length ? table.keptFaces() : [];
  void play.act({ kind: { case: "keep", value: { dice: faces } } });
}

function canThrow(): boolean {
  const { position } = play.game.value!;
  const all = table.dice.value.length > 0 && table.dice.value.every(({ kept }) => kept);
  return play.isMine.value && !play.busy.value && play.mayThrow.value && !(position.dice.length > 0 && all);
}

/** Keys: 1 to 9 keep a die, T throws, H shows hints. */
function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(target.tagName)) return;
      const place = Number(event.key);
      if (place >= 1 && place <= table.dice.value.length && play.isMine.value && !play.busy.value) table.toggle(place - 1);
      else if (event.key.toLowerCase() === "t" && canThrow()) throwDice();
      else if (event.key.toLowerCase() === "h") play.toggleHints();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

export function Table() {
  useKeys();
  const game = play.game.value!;
  const ruleset = play.ruleset.value!;
  const { failures } = words.value;
  const race = isRace(ruleset);
  return (
    <div class={`table ${race ? "racing" : ""}`}>
      <Toolbar />
      <div class="felt-side">
        <Felt />
        <Notice failure={play.failure.value} kept={failures.gameKept} />
        {game.over && <End />}
        {play.wantsHints.value && <Hints />}
      </div>
      <div class="cards-side">{race ? <Boards /> : isShowdown(ruleset) ? <Hands /> : <Cards />}</div>
    </div>
  );
}

function Toolbar() {
  const { table: said } = words.value;
  const game = play.game.value!;
  const ruleset = play.ruleset.value!;
  const name = (ruleset.id || "own").replaceAll("_", "-");
  return (
    <div class="toolbar">
      <h1>{rulesetName(ruleset) || said.ownRules}</h1>
      <div class="row">
        <button class="button quiet" aria-pressed={play.wantsHints.value} aria-keyshortcuts="h" onClick={play.toggleHints}>
          <Icon name="hint" /> {said.hints}
        </button>
        <button class="button quiet" onClick={() => saveJson(gameToJson(game), `dicepoker-${name}.json`)}>
          <Icon name="file" /> {said.save}
        </button>
        <button
          class="button quiet"
          onClick={() => {
            play.leave();
            carry("play");
            route.value = { room: "play", carried: new URLSearchParams() };
          }}
        >
          <Icon name="plus" /> {said.other}
        </button>
      </div>
    </div>
  );
}

/** The last event, in a sentence. */
function story(): string {
  const { table: said } = words.value;
  const game = play.game.value!;
  const ruleset = play.ruleset.value;
  const last = play.news.value;
  const turn = game.over ? "" : play.isMine.value && !play.busy.value ? said.yourTurn(game.seats[game.position.toMove]!.name) : "";
  if (!last) return turn;
  const { name } = game.seats[last.seat]!;
  const { step } = last;
  const kind = step.move!.kind;
  const what =
    kind.case === "keep"
      ? said.threw(name, step.thrown.map((face) => spoken(ruleset, face)).join(" "))
      : kind.case === "record"
        ? said.wrote(name, number(step.recorded?.points ?? 0), boxName(ruleset, kind.value), step.recorded?.bonus ?? 0)
        : kind.case === "announce"
          ? said.announced(name, boxName(ruleset, kind.value))
          : kind.case === "stop"
            ? isShowdown(ruleset)
              ? said.stood(name)
              : said.stopped(name)
            : `${name}: ${otherText(step.move)}.`;
  return kind.case === "keep" && play.mayThrow.value ? what : `${what} ${turn}`;
}

function Felt() {
  const { table: said } = words.value;
  const game = play.game.value!;
  const ruleset = play.ruleset.value!;
  const { position } = game;
  const count = ruleset.definition?.dice ?? 5;
  const throws = ruleset.definition?.showdown ? 1 + ruleset.definition.showdown.rethrows : (ruleset.definition?.rolls ?? 3);
  const mine = play.isMine.value;
  const lying = table.dice.value;
  const mayKeep = mine && !play.busy.value && play.mayThrow.value && position.dice.length > 0;
  const mover = game.seats[position.toMove]!;
  const extra = position.scorecards[position.toMove]?.extraThrows ?? 0;
  const others = mine ? play.legal.value.filter(({ kind }) => ["stop", "raise", "accept", "giveUp"].includes(kind.case ?? "")) : [];
  return (
    <section class="felt" aria-label={said.dice}>
      <p class="whose">
        <b>{game.over ? said.over : mover.name}</b>
        <span class="throws" role="img" aria-label={said.throwsLeft(position.rollsLeft)}>
          {Array.from({ length: throws }, (_, index) => (
            <i key={index} class={index < position.rollsLeft && !game.over ? "left" : ""} />
          ))}
          {extra > 0 && <small>{said.extra(extra)}</small>}
        </span>
      </p>
      <div class="dice" style={{ "--dice": count }}>
        {lying.length
          ? lying.map((die, index) => (
              <BigDie key={index} ruleset={ruleset} {...die} place={index + 1} disabled={!mayKeep || die.stays} onToggle={() => table.toggle(index)} />
            ))
          : Array.from({ length: count }, (_, index) => <span key={index} class="die empty" />)}
      </div>
      <p class="story" role="status" aria-live="polite">
        {story()}
      </p>
      {position.announced && !game.over && <p class="announced">{said.announcedRow(boxName(ruleset, position.announced))}</p>}
      <div class="row felt-buttons">
        <button class="button throw" disabled={!canThrow()} aria-keyshortcuts="t" onClick={throwDice}>
          {position.dice.length && mine ? said.throwAgain(count - (lying.length ? table.keptFaces().length : 0)) : said.throw}
        </button>
        {others.map((move) => (
          <button key={otherText(move)} class="button on-felt" disabled={play.busy.value} onClick={() => void play.act(move)}>
            {isShowdown(ruleset) && move.kind.case === "stop" ? said.stand : otherText(move)}
          </button>
        ))}
      </div>
    </section>
  );
}

const isLegal = (category: string) => play.scores.value.some((score) => score.category === category && score.legal);

/** The button that records the dice in a box, or announces it. */
function RecordButton({ box }: { box: Box }) {
  const { table: said } = words.value;
  const score = play.scores.value.find((one) => sameBox(one, box));
  const hint = play.hints.value?.alternatives.find(({ move }) => move?.kind.case === "record" && sameBox(move.kind.value, box));
  const name = boxName(play.ruleset.value, box);
  const announceable = play.legal.value.some(({ kind }) => kind.case === "announce" && sameBox(kind.value, box));
  if (announceable) {
    return (
      <button class="record announce" disabled={play.busy.value} aria-label={said.announce(name)} title={said.announce(name)} onClick={() => void play.act(announceMove(box))}>
        ◎
      </button>
    );
  }
  if (!score?.legal) return null;
  const isBest = hint && hint.regret < 5e-5;
  return (
    <button
      class={`record ${score.points + score.bonus > 0 ? "pays" : ""} ${isBest ? "best" : ""}`}
      disabled={play.busy.value}
      aria-label={said.record(name, score.points, score.bonus)}
      title={hint ? said.gives(number(hint.regret, 2)) : undefined}
      onClick={() => void play.act(recordMove(box))}
    >
      {number(score.points)}
      {score.bonus !== 0 && <small data-bonus={score.bonus > 0 ? `+${number(score.bonus)}` : number(score.bonus)} />}
    </button>
  );
}

function Cards() {
  const game = play.game.value!;
  const { table: said } = words.value;
  const { position } = game;
  return (
    <Sheet
      ruleset={play.ruleset.value!}
      heads={game.seats.map(({ name }) => name)}
      cards={position.scorecards}
      totals={game.totals}
      active={game.over ? undefined : position.toMove}
      last={play.lastRecorded.value}
      caption={said.sheet}
      open={(seat, box) => (seat === position.toMove && play.isMine.value ? <RecordButton box={box} /> : null)}
    />
  );
}

function Boards() {
  const game = play.game.value!;
  const { position } = game;
  return (
    <div class="boards">
      {game.seats.map((seat, index) => (
        <Board
          key={index}
          ruleset={play.ruleset.value!}
          head={seat.name}
          card={position.scorecards[index]}
          totals={game.totals[index]}
          active={!game.over && index === position.toMove}
          fresh={play.lastRecorded.value?.seat === index ? play.lastRecorded.value.box.category : undefined}
          open={(category) => (index === position.toMove && play.isMine.value && isLegal(category.id) ? <RecordButton box={{ category: category.id, column: "" }} /> : null)}
        />
      ))}
    </div>
  );
}

function Hints() {
  const { table: said } = words.value;
  const game = play.game.value!;
  const ruleset = play.ruleset.value!;
  const answer = play.hints.value;
  if (game.over) return null;
  const unit = answer && unitOf(answer, ruleset, game.seats.length);
  const choose = (move: Move) => {
    if (move.kind.case === "keep") table.hold(move.kind.value.dice);
    else void play.act(move);
  };
  const analyse = async () => {
    const { position } = gameToJson(game) as { position: never };
    go("analyse", { request: await pack({ ...rulesToJson(game.rules), position }) });
  };
  return (
    <section class="card hints" aria-labelledby="hints">
      <h2 id="hints">{said.hintsTitle}</h2>
      {answer && unit ? (
        <>
          {answer.explanation && <p class="plan">{answer.explanation.plan}</p>}
          {!answer.explanation && <p class="plan">{`${moveText(ruleset, answer.move)}: ${worth(answer.expectedValue, unit)}`}</p>}
          <Ranking ruleset={ruleset} answer={answer} unit={unit} most={HINTS} onChoose={choose} />
          <p class="row">
            <button class="button quiet" onClick={() => void analyse()}>
              <Icon name="analyse" /> {said.analyse}
            </button>
          </p>
        </>
      ) : (
        <p class="hint-line">{play.busy.value ? said.thinking : said.hintsAfterThrow}</p>
      )}
    </section>
  );
}

function End() {
  const { table: said } = words.value;
  const game = play.game.value!;
  const review = async () => go("review", { game: await pack(gameToJson(game)) });
  const names = game.winners.map((seat) => game.seats[seat]!.name);
  const ranked = game.seats.map(({ name }, seat) => ({ name, total: game.position.showdown?.players[seat]?.roundsWon ?? game.totals[seat]?.grandTotal ?? 0 })).sort((a, b) => b.total - a.total);
  const most = Math.max(1, ...ranked.map(({ total }) => total));
  return (
    <section class="card end" aria-labelledby="end" role="status">
      <h2 id="end">
        <Icon name="crown" /> {game.seats.length === 1 ? said.finalScore(number(ranked[0]!.total)) : said.winner(names)}
      </h2>
      {game.seats.length > 1 && (
        <ol class="finals">
          {ranked.map(({ name, total }, place) => (
            <li key={place}>
              <span>{name}</span>
              <span class="bar" aria-hidden="true">
                <i style={{ width: `${100 * Math.max(0.02, total / most)}%` }} />
              </span>
              <b>{number(total)}</b>
            </li>
          ))}
        </ol>
      )}
      <div class="row">
        <button class="button primary" onClick={() => void review()}>
          <Icon name="review" /> {said.review}
        </button>
        <button class="button" onClick={() => void play.begin(game.rules, game.seats)}>
          {said.again}
        </button>
      </div>
    </section>
  );
}

