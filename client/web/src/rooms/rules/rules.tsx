// Rules: a definition edited, checked as it is typed, analysed, and played.
import { signal } from "@preact/signals";
import type { JsonObject } from "@bufbuild/protobuf";
import { useEffect } from "preact/hooks";

import { readJson, saveJson } from "../../game/store";
import { RulesetDefinitionSchema, RulesetFamily } from "../../rpc/contract";
import { number, rulesetName, words } from "../../i18n";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { failureOf } from "../../rpc/failure";
import { catalogue, loadCatalogue } from "../../rpc/rules";
import { go } from "../../route";
import { playBy } from "../play/setup";
import * as q from "../analyse/question";
import { Analysis } from "./analysis";
import * as d from "./draft";
import { MessageForm } from "./form";

const asText = signal(false);

export function RulesRoom() {
  const { rules } = words.value;
  useEffect(() => {
    if (d.draft.value) return;
    loadCatalogue().then(
      () => d.startFrom(d.origin.value),
      (reason: unknown) => (d.failure.value = failureOf(reason, () => void d.startFrom(d.origin.value))),
    );
  }, []);
  const editable = catalogue.value.filter(({ family }) => family !== RulesetFamily.RACE);
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      const json = (await readJson(file)) as JsonObject;
      d.change((json.definition as JsonObject | undefined) ?? json);
    } catch (reason) {
      d.failure.value = failureOf(reason);
    }
  };
  return (
    <>
      <div class="toolbar">
        <h1>{rules.title}</h1>
        <div class="row">
          <label class="labelled">
            {rules.from}
            <select value={d.origin.value.ruleset} onChange={(event) => void d.startFrom({ ruleset: event.currentTarget.value })}>
              {editable.map((one) => (
                <option key={one.id} value={one.id}>
                  {rulesetName(one)}
                </option>
              ))}
            </select>
          </label>
          <label class="button quiet">
            <Icon name="open" /> {rules.open}
            <input type="file" class="hidden" accept=".json,application/json" onChange={(event) => (void open(event.currentTarget.files?.[0]), (event.currentTarget.value = ""))} />
          </label>
          <button class="button quiet" disabled={!d.draft.value} onClick={() => saveJson(d.draft.value!, "dicepoker-rules.json")}>
            <Icon name="file" /> {rules.save}
          </button>
        </div>
      </div>
      <div class="workshop">
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
          {d.draft.value && asText.value && (
            <textarea
              aria-label={rules.definition}
              aria-invalid={d.text.value !== undefined ? "true" : undefined}
              spellcheck={false}
              rows={32}
              value={d.text.value ?? JSON.stringify(d.draft.value, null, 2)}
              onInput={(event) => d.write(event.currentTarget.value)}
            />
          )}
          {d.draft.value && !asText.value && (
            <div class="form">
              <MessageForm desc={RulesetDefinitionSchema} value={d.draft.value} path="definition" onChange={d.change} />
            </div>
          )}
        </section>
        <div class="verdicts">
          <Verdict />
          <Analysis />
        </div>
      </div>
    </>
  );
}

function Verdict() {
  const { rules } = words.value;
  const { value: sound } = d.sound;
  const playable = sound !== undefined;
  return (
    <section class={`card verdict ${d.failure.value ? "unsound" : ""}`} aria-labelledby="verdict" aria-live="polite">
      <h2 id="verdict">{d.failure.value ? rules.unsound : sound ? rules.sound : rules.checking}</h2>
      {sound && (
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
      <Notice failure={d.failure.value} />
      <div class="row">
        <button class="button primary" disabled={!playable} onClick={() => (playBy({ ruleset: "", definition: d.definition() }), go("play"))}>
          <Icon name="play" /> {rules.play}
        </button>
        <button
          class="button"
          disabled={!sound?.accepted}
          onClick={() => {
            q.setRules({ ruleset: "", definition: d.definition() });
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
