// A new game: its rules and its players.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import { gameToJson, type Seat } from "../../game/game";
import * as play from "../../game/play";
import { kept, readJson } from "../../game/store";
import type { Ruleset } from "../../rpc/contract";
import { words } from "../../i18n";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { RulesPicker } from "../../parts/rules-picker";
import { failureOf, type Failure } from "../../rpc/failure";
import type { Rules } from "../../rpc/rules";
import { refused, take } from "./play";

/** The most opponents of a game. */
const MOST = 5;

/** The rules and players of the next game. */
export const rules = signal<Rules>({ ruleset: "yahtzee" });

const seats = signal<Seat[]>([{ name: "" }, { name: "", level: 5 }]);

/** The names of players as the reader's language has them. */
function named(list: Seat[]): Seat[] {
  const { setup } = words.value;
  return list.map((seat, index) => ({ ...seat, name: seat.name || (index ? setup.names[index - 1]! : setup.you) }));
}

export function Setup() {
  const { setup, failures } = words.value;
  const [ruleset, setRuleset] = useState<Ruleset>();
  const [failure, setFailure] = useState<Failure>();
  const [last, setLast] = useState(kept);
  useEffect(() => setLast(kept()), []);

  const start = async () => {
    setFailure(undefined);
    try {
      await play.begin(rules.value, named(seats.value));
    } catch (reason) {
      setFailure(failureOf(reason, () => void start()));
    }
  };
  const open = (file: File | undefined) => {
    if (file) void take(() => readJson(file));
  };
  const most = Math.min(MOST, Math.max(0, (ruleset?.maxPlayers ?? 6) - 1));
  const least = Math.max(1, ruleset?.minPlayers ?? 1);
  const full = seats.value.length > most;
  return (
    <div class="setup">
      <div class="hero">
        <h1>{setup.title}</h1>
        <p>{setup.lead}</p>
        <div class="row">
          {last && !last.over && (
            <button class="button" onClick={() => void take(async () => gameToJson(last))}>
              {setup.goOn(last.steps.length)}
            </button>
          )}
          <label class="button quiet">
            <Icon name="open" /> {setup.open}
            <input type="file" class="hidden" accept=".json,application/json" onChange={(event) => (open(event.currentTarget.files?.[0]), (event.currentTarget.value = ""))} />
          </label>
        </div>
      </div>
      <Notice failure={refused.value} />
      <RulesPicker rules={rules.value} onChange={(next) => (rules.value = next)} onRuleset={setRuleset} />
      <section class="card players" aria-labelledby="players">
        <h2 id="players">{setup.players}</h2>
        <ul class="seats">
          {named(seats.value).map((seat, index) => (
            <SeatLine
              key={index}
              seat={seat}
              index={index}
              ruleset={ruleset}
              onChange={(next) => (seats.value = seats.value.map((old, i) => (i === index ? next : old)))}
              onRemove={index ? () => (seats.value = seats.value.filter((_, i) => i !== index)) : undefined}
            />
          ))}
        </ul>
        <div class="row">
          <button class="button quiet" disabled={full} onClick={() => (seats.value = [...seats.value, { name: "", level: 5 }])}>
            <Icon name="plus" /> {setup.add}
          </button>
          <button class="button primary big" disabled={!ruleset || seats.value.length > most + 1 || seats.value.length < least} onClick={() => void start()}>
            {setup.start}
          </button>
        </div>
        <Notice failure={failure} />
        {seats.value.length > most + 1 && <p class="hint-line">{failures.tooMany(most + 1)}</p>}
        {seats.value.length < least && <p class="hint-line">{failures.tooFew(least)}</p>}
      </section>
    </div>
  );
}

function SeatLine(props: { seat: Seat; index: number; ruleset?: Ruleset; onChange: (seat: Seat) => void; onRemove?: () => void }) {
  const { seat, index, ruleset } = props;
  const { setup } = words.value;
  const kind = seat.profile ?? (seat.level !== undefined ? String(seat.level) : "person");
  const levels = Array.from({ length: ruleset?.levels.length || 10 }, (_, i) => i + 1);
  const choose = (value: string) => {
    const { name, toWin } = seat;
    if (value === "person") props.onChange({ name });
    else if (/^\d+$/.test(value)) props.onChange({ name, toWin, level: Number(value) });
    else props.onChange({ name, toWin, profile: value });
  };
  const measured = ruleset?.levels.find(({ level }) => level === seat.level);
  const profile = ruleset?.profiles.find(({ id }) => id === seat.profile);
  return (
    <li class="seat">
      <input class="name" aria-label={setup.nameOf(index + 1)} maxLength={24} value={seat.name} onChange={(event) => props.onChange({ ...seat, name: event.currentTarget.value.trim() })} />
      <select aria-label={setup.kindOf(seat.name)} value={kind} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="person">{setup.person}</option>
        <optgroup label={setup.levels}>
          {levels.map((level) => (
            <option key={level} value={String(level)}>
              {setup.level(level)}
            </option>
          ))}
        </optgroup>
        {!!ruleset?.profiles.length && (
          <optgroup label={setup.profiles}>
            {ruleset.profiles.map(({ id }) => (
              <option key={id} value={id}>
                {setup.profile[id as keyof typeof setup.profile] ?? id.replaceAll("_", " ")}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      {props.onRemove ? (
        <button class="icon-button" aria-label={setup.remove(seat.name)} onClick={props.onRemove}>
          <Icon name="cross" />
        </button>
      ) : (
        <span />
      )}
      {kind !== "person" && (
        <p class="row hint-line">
          <label class="check">
            <input type="checkbox" checked={!!seat.toWin} onChange={(event) => props.onChange({ ...seat, toWin: event.currentTarget.checked })} /> {setup.toWin}
          </label>
          <span>{measured?.meanScore ? setup.scores(measured.meanScore) : profile?.meanScore ? setup.scores(profile.meanScore) : profile?.description}</span>
        </p>
      )}
    </li>
  );
}

/** Sets the rules of the next game, for other rooms. */
export function playBy(next: Rules): void {
  play.leave();
  rules.value = next;
}

