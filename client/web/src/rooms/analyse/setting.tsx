// Setting a position: dice, throws, cards, and the objective.
import { create } from "@bufbuild/protobuf";

import { Objective, type Ruleset, type Scorecard, ScorecardSchema, Scorecard_EntrySchema, ShowdownPlayerSchema } from "../../rpc/contract";
import { words } from "../../i18n";
import { Board } from "../../parts/board";
import { boxName, placesOf, sameBox, type Box } from "../../parts/box";
import { isRace, isSheet, isShowdown } from "../../game/family";
import { FacePicture, SmallDice, spoken } from "../../parts/die";
import { Icon } from "../../parts/icon";
import { Sheet } from "../../parts/sheet";
import * as q from "./question";

/** The most players that the editor shows. */
const MOST = 6;

export function DiceEditor({ ruleset }: { ruleset: Ruleset }) {
  const { analyse } = words.value;
  const position = q.question.value.position!;
  const { faces, showdown } = ruleset.definition!;
  const rolls = showdown ? 1 + showdown.rethrows : ruleset.definition!.rolls;
  const set = (index: number, face: number) =>
    q.setPosition({ dice: position.dice.map((old, i) => (i === index ? ((face - 1 + faces) % faces) + 1 : old)) });
  const onKey = (event: KeyboardEvent, index: number, face: number) => {
    const digit = Number(event.key);
    if (event.key === "ArrowUp") set(index, face + 1);
    else if (event.key === "ArrowDown") set(index, face - 1);
    else if (digit >= 1 && digit <= faces) {
      set(index, digit);
      ((event.currentTarget as HTMLElement).nextElementSibling as HTMLElement | null)?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="setting-dice" role="group" aria-label={analyse.dice}>
        {position.dice.map((face, index) => (
          <div
            key={index}
            class="die"
            role="spinbutton"
            tabIndex={0}
            aria-label={analyse.die(index + 1)}
            aria-valuemin={1}
            aria-valuemax={faces}
            aria-valuenow={face}
            aria-valuetext={spoken(ruleset, face)}
            onClick={() => set(index, face + 1)}
            onKeyDown={(event) => onKey(event, index, face)}
          >
            <span class="cube">
              <FacePicture ruleset={ruleset} value={face} />
            </span>
          </div>
        ))}
      </div>
      <div class="row between">
        <span class="labelled">
          {analyse.throwsLeft}
          <span class="segments" role="group" aria-label={analyse.throwsLeft}>
            {Array.from({ length: rolls }, (_, left) => (
              <button key={left} aria-pressed={position.rollsLeft === left} onClick={() => q.setPosition({ rollsLeft: left })}>
                {left}
              </button>
            ))}
          </span>
        </span>
        <button class="button small" onClick={() => q.setPosition({ dice: position.dice.map(() => 1 + Math.floor(Math.random() * faces)) })}>
          {analyse.shake}
        </button>
      </div>
      {isRace(ruleset) && (
        <label class="check">
          <input
            type="checkbox"
            checked={position.fullThrow ?? position.rollsLeft === rolls - 1}
            onChange={(event) => q.setPosition({ fullThrow: event.currentTarget.checked })}
          />{" "}
          {analyse.fullThrow}
        </label>
      )}
    </>
  );
}

export function ObjectiveEditor() {
  const { analyse } = words.value;
  const { objective, target, position } = q.question.value;
  if (!isSheet(q.ruleset.value)) return null;
  const choices = [
    [Objective.UNSPECIFIED, analyse.forPoints],
    [Objective.WIN, analyse.forWin],
    [Objective.REACH_TARGET, analyse.forTarget],
  ] as const;
  const choose = (wanted: Objective) => {
    if (wanted === Objective.WIN && position!.scorecards.length < 2) addCard(1);
    q.question.value = { ...q.question.value, objective: wanted, target: wanted === Objective.REACH_TARGET ? target || 200 : 0 };
  };
  return (
    <div class="row objective">
      <span class="segments" role="group" aria-label={analyse.objective}>
        {choices.map(([value, name]) => (
          <button key={value} aria-pressed={objective === value} onClick={() => choose(value)}>
            {name}
          </button>
        ))}
      </span>
      {objective === Objective.REACH_TARGET && (
        <input
          type="number"
          min={1}
          max={100000}
          aria-label={analyse.target}
          value={target}
          onInput={(event) => {
            const wanted = Math.round(event.currentTarget.valueAsNumber);
            if (wanted >= 1) q.question.value = { ...q.question.value, target: wanted };
          }}
        />
      )}
    </div>
  );
}

function addCard(change: 1 | -1): void {
  const { scorecards, toMove } = q.question.value.position!;
  const cards = change > 0 ? [...scorecards, create(ScorecardSchema)] : scorecards.slice(0, -1);
  q.setPosition({ scorecards: cards, toMove: Math.min(toMove, cards.length - 1) });
  if (cards.length < 2 && q.question.value.objective === Objective.WIN) {
    q.question.value = { ...q.question.value, objective: Objective.UNSPECIFIED };
  }
}

/** Sets the points in a place of a box; nothing opens it. */
function write(seat: number, box: Box, place: number, points: number | undefined): void {
  const { scorecards } = q.question.value.position!;
  const change = (card: Scorecard): Scorecard => {
    const old = card.entries.find((entry) => sameBox(entry, box));
    const before = old?.points ?? [];
    const written = points === undefined ? before.slice(0, place) : [...before.slice(0, place), points, ...before.slice(place + 1)];
    const others = card.entries.filter((entry) => entry !== old);
    const entry = create(Scorecard_EntrySchema, { category: box.category, column: box.column, points: written });
    return { ...card, entries: written.length ? [...others, entry] : others };
  };
  q.setPosition({ scorecards: scorecards.map((card, index) => (index === seat ? change(card) : card)) });
}

/** The violation of a place, if the service rejects it. */
function violationOf(seat: number, box: Box, place: number): string | undefined {
  const index = q.question.value.position!.scorecards[seat]!.entries.findIndex((entry) => sameBox(entry, box));
  const path = `position.scorecards[${seat}].entries[${index}]`;
  return q.failure.value?.violations.find(({ field }) => field === path || field === `${path}.points` || field === `${path}.points[${place}]`)?.description;
}

function Cell({ seat, box, place, ruleset }: { seat: number; box: Box; place: number; ruleset: Ruleset }) {
  const { analyse } = words.value;
  const points = q.question.value.position!.scorecards[seat]?.entries.find((entry) => sameBox(entry, box))?.points ?? [];
  const wrong = violationOf(seat, box, place);
  return (
    <input
      class="cell"
      inputMode="numeric"
      autocomplete="off"
      aria-label={analyse.cell(boxName(ruleset, box), seat + 1, place)}
      aria-invalid={wrong ? "true" : undefined}
      title={wrong}
      disabled={place > points.length}
      value={points[place] ?? ""}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        if (text === "") write(seat, box, place, undefined);
        else if (/^-?\d{1,5}$/.test(text)) write(seat, box, place, Number(text));
        else event.currentTarget.value = String(points[place] ?? "");
      }}
    />
  );
}

export function CardEditor({ ruleset }: { ruleset: Ruleset }) {
  return isShowdown(ruleset) ? <HandsEditor ruleset={ruleset} /> : <Cards ruleset={ruleset} />;
}

/** The dice of the players of a showdown, as their faces; those of the player to move stand above. */
function HandsEditor({ ruleset }: { ruleset: Ruleset }) {
  const { analyse } = words.value;
  const { toMove, showdown } = q.question.value.position!;
  const players = showdown?.players ?? [];
  const { faces, dice } = ruleset.definition!;
  const set = (next: typeof players) => q.setPosition({ showdown: { ...showdown!, players: next }, toMove: Math.min(toMove, next.length - 1) });
  const read = (text: string) => text.split(/\D*/).map(Number).filter((face) => face >= 1 && face <= faces).slice(0, dice);
  return (
    <section class="card card-editor" aria-label={analyse.hands}>
      <div class="row between">
        <h2>{analyse.hands}</h2>
        <span class="row">
          <button class="icon-button" aria-label={analyse.fewer} disabled={players.length <= Math.max(1, ruleset.minPlayers)} onClick={() => set(players.slice(0, -1))}>
            <Icon name="minus" />
          </button>
          <button class="icon-button" aria-label={analyse.more} disabled={players.length >= Math.min(MOST, ruleset.maxPlayers)} onClick={() => set([...players, create(ShowdownPlayerSchema)])}>
            <Icon name="plus" />
          </button>
        </span>
      </div>
      {players.map((player, seat) => (
        <div class="row between" key={seat}>
          <label class="check">
            <input type="radio" name="to-move" checked={seat === toMove} onChange={() => q.setPosition({ toMove: seat })} /> {analyse.player(seat + 1)}
          </label>
          {seat === toMove ? (
            <small>{analyse.toMove}</small>
          ) : (
            <span class="row">
              <SmallDice ruleset={ruleset} faces={player.dice} />
              <input
                class="faces"
                inputMode="numeric"
                aria-label={analyse.handOf(seat + 1)}
                placeholder={analyse.notThrown}
                value={player.dice.join("")}
                onChange={(event) => {
                  const typed = read(event.currentTarget.value);
                  set(players.map((old, i) => (i === seat ? { ...old, dice: typed.length === dice ? typed : [] } : old)));
                }}
              />
            </span>
          )}
        </div>
      ))}
    </section>
  );
}

function Cards({ ruleset }: { ruleset: Ruleset }) {
  const { analyse, sheet } = words.value;
  const position = q.question.value.position!;
  const heads = position.scorecards.map((_, seat) => analyse.player(seat + 1));
  const least = isRace(ruleset) ? 2 : 1;
  return (
    <section class="card-editor" aria-label={analyse.cards}>
      <div class="row between">
        <h2>{analyse.cards}</h2>
        <div class="row">
          {heads.length > 1 && (
            <span class="labelled">
              {analyse.toMove}
              <select aria-label={analyse.toMove} value={position.toMove} onChange={(event) => q.setPosition({ toMove: Number(event.currentTarget.value) })}>
                {heads.map((head, seat) => (
                  <option key={seat} value={seat}>
                    {head}
                  </option>
                ))}
              </select>
            </span>
          )}
          <button class="icon-button" aria-label={analyse.fewer} disabled={heads.length <= least} onClick={() => addCard(-1)}>
            <Icon name="minus" />
          </button>
          <button class="icon-button" aria-label={analyse.more} disabled={heads.length >= MOST} onClick={() => addCard(1)}>
            <Icon name="plus" />
          </button>
          <button class="button small" onClick={() => q.setPosition({ scorecards: position.scorecards.map(() => create(ScorecardSchema)) })}>
            {analyse.clear}
          </button>
        </div>
      </div>
      {isRace(ruleset) ? (
        heads.map((head, seat) => (
          <Board
            key={seat}
            ruleset={ruleset}
            head={head}
            card={position.scorecards[seat]}
            totals={q.totals.value[seat]}
            active={seat === position.toMove}
            cell={(row, place) => <Cell seat={seat} box={{ category: row.id, column: "" }} place={place} ruleset={ruleset} />}
          />
        ))
      ) : (
        <Sheet
          ruleset={ruleset}
          heads={heads}
          cards={position.scorecards}
          totals={q.totals.value}
          active={position.toMove}
          caption={sheet.total}
          cell={(seat, box) => (
            <span class="box">
              {Array.from({ length: placesOf(ruleset.definition?.categories.find(({ id }) => id === box.category)) }, (_, place) => (
                <Cell key={place} seat={seat} box={box} place={place} ruleset={ruleset} />
              ))}
            </span>
          )}
        />
      )}
    </section>
  );
}
