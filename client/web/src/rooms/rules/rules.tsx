// Rules: a definition, or the options of the race, edited, checked as they are typed, analyzed, and played.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { readJson, saveJson } from "../../game/store";
import { RulesetDefinitionSchema } from "../../rpc/contract";
import { number, rulesetName, words } from "../../i18n";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { OptionsForm } from "../../parts/options";
import { failureOf } from "../../rpc/failure";
import { catalogue, loadCatalogue, rulesToJson } from "../../rpc/rules";
import { go } from "../../route";
import { playBy } from "../play/setup";
import * as q from "../analyse/question";
import { Analysis } from "./analysis/analysis";
import * as d from "./draft";
import { MessageForm } from "./form";

const asText = signal(false);

/** The fields that a definition of a showdown does not need. */
const ONLY_OF_SHEETS = new Set([
  "rolls",
  "categories",
  "upper_bonuses",
  "five_alike_bonus",
  "joker",
  "columns",
  "bonuses",
  "products",
  "final_score",
  "served",
  "kept_dice_stay",
  "extra_throws",
]);

export function RulesRoom() {
  const { rules } = words.value;
  const load = () =>
    void loadCatalogue().then(
      () => (d.draft.value ? undefined : d.startFrom(d.origin.value)),
      (reason: unknown) => (d.failure.value = failureOf(reason, load)),
    );
  useEffect(load, []);
  const open = (file: File | undefined) => {
    if (file) void d.open(() => readJson(file));
  };
  return (
    <>
      <div class="toolbar">
        <h1>{rules.title}</h1>
        <div class="row">
          <label class="labelled">
            {rules.from}
            <select value={d.origin.value.ruleset} onChange={(event) => void d.startFrom({ ruleset: event.currentTarget.value })}>
              {catalogue.value.map((one) => (
                <option key={one.id} value={one.id}>
                  {rulesetName(one)}
                </option>
              ))}
            </select>
          </label>
          <label class="button quiet">
            <Icon name="open" /> {rules.open}
            <input type="file" class="hidden" accept=".json,application/json" onChange={(event) => (open(event.currentTarget.files?.[0]), (event.currentTarget.value = ""))} />
          </label>
          <button class="button quiet" disabled={!d.draft.value} onClick={() => saveJson(d.hasOptionsOnly.value ? rulesToJson(d.rules()) : d.draft.value!, "dicepoker-rules.json")}>
            <Icon name="file" /> {rules.save}
          </button>
        </div>
      </div>
      <div class="workshop">
        {d.hasOptionsOnly.value ? <OptionsEditor /> : <DefinitionEditor />}
        <div class="verdicts">
          <Verdict />
          <Analysis />
        </div>
      </div>
    </>
  );
}

/** The house rules of the race, whose definition cannot be changed. */
function OptionsEditor() {
  const { picker, rules } = words.value;
  return (
    <section class="card editor" aria-labelledby="options">
      <h2 id="options">{picker.options}</h2>
      <p class="hint-line">{rules.optionsOnly}</p>
      <div class="options">
        <OptionsForm ruleset={d.ruleset.value!} options={d.draft.value!} onChange={d.change} />
      </div>
    </section>
  );
}

function DefinitionEditor() {
  const { rules } = words.value;
  const { value: draft } = d.draft;
  return (
    <section class="card editor" aria-labelledby="definition">
      <div class="row between">
        <h2 id="definition">{rules.definition}</h2>
        <div class="segments" role="group" aria-label={rules.definition}>
          <button aria-pressed={!asText.value} onClick={() => (asText.value = false)}>
            {rules.form}
          </button>
          <button aria-pressed={asText.value} onClick={() => (asText.value = true)}>
            JSON
          </button>
        </div>
      </div>
      {draft && asText.value && (
        <textarea
          aria-label={rules.definition}
          aria-invalid={d.unreadable.value ? "true" : undefined}
          spellcheck={false}
          rows={32}
          value={d.text.value ?? JSON.stringify(draft, null, 2)}
          onInput={(event) => d.write(event.currentTarget.value)}
          onBlur={d.leave}
        />
      )}
      {draft && !asText.value && (
        <div class="form">
          <MessageForm desc={RulesetDefinitionSchema} value={draft} path="definition" onChange={d.change} skip={draft.showdown ? ONLY_OF_SHEETS : undefined} />
        </div>
      )}
    </section>
  );
}

function Verdict() {
  const { rules } = words.value;
  const { value: sound } = d.sound;
  const { value: failure } = d.failure;
  const unsound = d.unreadable.value || d.violations.value.size > 0;
  const heading = unsound ? rules.unsound : failure ? rules.unchecked : sound ? rules.sound : rules.checking;
  return (
    <section class={`card verdict ${failure ? "unsound" : ""}`} aria-labelledby="verdict" aria-live="polite">
      <h2 id="verdict">{heading}</h2>
      {sound && sound.states > 0 && Number.isSafeInteger(Number(sound.states)) && (
        <dl class="facts">
          <div>
            <dt>{rules.states}</dt>
            <dd>{number(Number(sound.states))}</dd>
          </div>
          <div>
            <dt>{rules.table}</dt>
            <dd>{number(Number(sound.tableBytes) / 1e6, 1)} MB</dd>
          </div>
          <div>
            <dt>{rules.seconds}</dt>
            <dd>{number(sound.estimatedSeconds, 2)} s</dd>
          </div>
        </dl>
      )}
      {sound && !sound.accepted && !sound.limitation && <p class="hint-line">{rules.tooLarge}</p>}
      {sound?.limitation && (
        <p class="hint-line" lang="en">
          {sound.limitation}
        </p>
      )}
      {sound && sound.warnings.length > 0 && (
        <ul class="hint-line" lang="en">
          {sound.warnings.map(({ field, description }) => (
            <li key={field + description}>
              <code>{field}</code> {description}
            </li>
          ))}
        </ul>
      )}
      <Notice failure={failure} kept={unsound || !d.draft.value ? undefined : rules.draftKept} />
      <div class="row">
        <button class="button primary" disabled={!sound} onClick={() => (playBy(d.rules()), go("play"))}>
          <Icon name="play" /> {rules.play}
        </button>
        <button
          class="button"
          disabled={!sound?.accepted}
          onClick={() => {
            q.setRules(d.rules());
            go("analyse");
          }}
        >
          <Icon name="analyse" /> {rules.analysePosition}
        </button>
        <button class="button quiet" disabled={!d.isChanged.value} onClick={() => d.change(d.original.value!)}>
          {rules.reset}
        </button>
      </div>
    </section>
  );
}
