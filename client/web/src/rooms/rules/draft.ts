// The definition being edited, as JSON with the contract's names, and its validation by the service.
import { fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { batch, computed, signal } from "@preact/signals";

import { type RulesetDefinition, RulesetDefinitionSchema, type ValidateRulesetResponse } from "../../rpc/contract";
import { words } from "../../i18n";
import { service } from "../../rpc/client";
import { failureOf, type Failure } from "../../rpc/failure";
import { describe, type Rules } from "../../rpc/rules";

/** Pause after the last edit before the call, in milliseconds. */
const REST_MS = 200;

/** What the draft began as. */
export const origin = signal<Rules>({ ruleset: "yahtzee" });
export const original = signal<JsonObject>();
export const draft = signal<JsonObject>();
/** The text of the JSON editor while it is invalid. */
export const text = signal<string>();
export const failure = signal<Failure>();
export const sound = signal<ValidateRulesetResponse>();
export const checking = signal(false);

export const isChanged = computed(() => JSON.stringify(draft.value) !== JSON.stringify(original.value));

/** Descriptions by the path of their field, as in `definition.categories[3].points.fixed`. */
export const violations = computed(() => {
  const found = new Map<string, string[]>();
  for (const { field, description } of failure.value?.violations ?? []) {
    found.set(field, [...(found.get(field) ?? []), description]);
  }
  return found;
});

/** A definition as JSON without what only the service writes. */
export function written(definition: RulesetDefinition): JsonObject {
  const json = toJson(RulesetDefinitionSchema, definition, { useProtoFieldName: true }) as JsonObject;
  for (const row of (json.categories ?? []) as JsonObject[]) delete row.description;
  for (const hand of ((json.showdown as JsonObject | undefined)?.hands ?? []) as JsonObject[]) delete hand.throws;
  return json;
}

/** Starts from rules. */
export async function startFrom(rules: Rules): Promise<void> {
  batch(() => {
    origin.value = rules;
    failure.value = undefined;
  });
  try {
    const { definition } = await describe(rules);
    if (origin.value !== rules || !definition) return;
    const json = written(definition);
    batch(() => {
      original.value = json;
      text.value = undefined;
      draft.value = json;
    });
    checkSoon();
  } catch (reason) {
    failure.value = failureOf(reason, () => void startFrom(rules));
  }
}

/** Takes a changed definition. */
export function change(next: JsonObject): void {
  batch(() => {
    draft.value = next;
    text.value = undefined;
  });
  checkSoon();
}

/** Takes the text of the JSON editor. */
export function write(typed: string): void {
  text.value = typed;
  try {
    const json = JSON.parse(typed) as JsonValue;
    if (typeof json !== "object" || json === null || Array.isArray(json)) throw new Error("{ … }");
    draft.value = json;
    text.value = undefined;
    checkSoon();
  } catch (reason) {
    clearTimeout(timer);
    round++;
    batch(() => {
      sound.value = undefined;
      failure.value = { text: words.value.rules.noJson(reason instanceof Error ? reason.message : ""), violations: [], wantsToken: false };
    });
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
let round = 0;

function checkSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void check(), REST_MS);
}

async function check(): Promise<void> {
  const own = ++round;
  checking.value = true;
  try {
    const answer = await service.validateRuleset({ definition: definition() });
    if (own !== round) return;
    batch(() => {
      failure.value = undefined;
      sound.value = answer;
    });
  } catch (reason) {
    if (own !== round) return;
    batch(() => {
      sound.value = undefined;
      failure.value = failureOf(reason, () => void check());
    });
  } finally {
    if (own === round) checking.value = false;
  }
}

/** What the draft began as, as a message. */
export function originalDefinition(): RulesetDefinition {
  return fromJson(RulesetDefinitionSchema, original.value ?? {});
}

/** The draft as a message. */
export function definition(): RulesetDefinition {
  return fromJson(RulesetDefinitionSchema, draft.value ?? {});
}
