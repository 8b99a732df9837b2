// The rules being edited, and their check by the service: a definition as JSON with the contract's
// names, or the options of the race, whose rules are not data.
import { create, fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { batch, computed, signal } from "@preact/signals";

import { isRace } from "../../game/family";
import {
  type Ruleset,
  type RulesetDefinition,
  RulesetDefinitionSchema,
  type ValidateRulesetResponse,
  ValidateRulesetResponseSchema,
} from "../../rpc/contract";
import { words } from "../../i18n";
import { service } from "../../rpc/client";
import { failureOf, Problem, type Failure } from "../../rpc/failure";
import { describe, type Rules } from "../../rpc/rules";

/** Pause after the last edit before the call, in milliseconds. */
const REST_MS = 200;

/** The built-in ruleset that the draft began as. */
export const origin = signal<Rules>({ ruleset: "yahtzee" });
/** The description of `origin`. */
export const ruleset = signal<Ruleset>();
export const original = signal<JsonObject>();
export const draft = signal<JsonObject>();
/** The text of the JSON editor from the first change until the editor is left. */
export const text = signal<string>();
/** Whether `text` is not a definition; the draft is the last one that was. */
export const unreadable = signal(false);
export const failure = signal<Failure>();
export const sound = signal<ValidateRulesetResponse>();
export const checking = signal(false);

/** Whether the draft holds options instead of a definition. */
export const hasOptionsOnly = computed(() => isRace(ruleset.value));

export const isChanged = computed(() => JSON.stringify(draft.value) !== JSON.stringify(original.value));

/** Descriptions by the path of their field, as in `definition.categories[3].points.fixed`. */
export const violations = computed(() => {
  const found = new Map<string, string[]>();
  for (const { field, description } of failure.value?.violations ?? []) {
    found.set(field, [...(found.get(field) ?? []), description]);
  }
  return found;
});

const rulesOf = (json: JsonObject): Rules =>
  hasOptionsOnly.peek() ? { ruleset: origin.peek().ruleset, options: json } : { ruleset: "", definition: fromJson(RulesetDefinitionSchema, json) };

/** The draft as the rules of a request. */
export const rules = () => rulesOf(draft.value ?? {});

/** The rules that the draft began as. */
export const originalRules = () => rulesOf(original.peek() ?? {});

/** A definition as JSON without the fields that only the service writes, or that follow from others. */
function written(definition: RulesetDefinition): JsonObject {
  const json = toJson(RulesetDefinitionSchema, definition, { useProtoFieldName: true }) as JsonObject;
  for (const row of (json.categories ?? []) as JsonObject[]) delete row.description;
  if (json.showdown) delete json.rolls;
  for (const hand of ((json.showdown as JsonObject | undefined)?.hands ?? []) as JsonObject[]) delete hand.throws;
  return json;
}

/** Reads a definition; throws a `Problem` that says what is wrong with it. */
function read(json: JsonValue): JsonObject {
  try {
    return written(fromJson(RulesetDefinitionSchema, json));
  } catch (reason) {
    throw new Problem(words.value.rules.noDefinition(reason instanceof Error ? reason.message : String(reason)));
  }
}

/** Starts from rules. */
export async function startFrom(rules: Rules): Promise<void> {
  const before = origin.value;
  batch(() => {
    origin.value = rules;
    failure.value = undefined;
  });
  try {
    const found = await describe(rules);
    if (origin.value !== rules) return;
    batch(() => {
      ruleset.value = found;
      original.value = isRace(found) ? {} : written(found.definition!);
      change(isRace(found) ? (rules.options ?? {}) : original.value);
    });
  } catch (reason) {
    if (origin.value !== rules) return;
    batch(() => {
      if (draft.value) origin.value = before;
      failure.value = failureOf(reason, () => void startFrom(rules));
    });
  }
}

/** Takes the rules of a file: a definition, or a ruleset with options as this room saves those of the race. */
export async function open(json: () => Promise<JsonValue>): Promise<void> {
  try {
    const value = (await json()) as JsonObject | null;
    if (typeof value?.ruleset === "string" && !value.definition) return await startFrom({ ruleset: value.ruleset, options: value.options as JsonObject | undefined });
    const definition = read(value?.definition ?? value);
    if (hasOptionsOnly.value) await startFrom({ ruleset: "yahtzee" });
    change(definition);
  } catch (reason) {
    failure.value = failureOf(reason);
  }
}

/** Takes a changed draft. */
export function change(next: JsonObject): void {
  batch(() => {
    draft.value = next;
    text.value = undefined;
    unreadable.value = false;
  });
  checkSoon();
}

/** Takes the text of the JSON editor. */
export function write(typed: string): void {
  try {
    const next = read(parse(typed));
    batch(() => {
      change(next);
      text.value = typed;
    });
  } catch (reason) {
    clearTimeout(timer);
    round++;
    batch(() => {
      text.value = typed;
      unreadable.value = true;
      sound.value = undefined;
      failure.value = failureOf(reason);
    });
  }
}

/** Leaves the JSON editor: a text that is a definition is written as usual. */
export function leave(): void {
  if (!unreadable.value) text.value = undefined;
}

function parse(typed: string): JsonValue {
  try {
    return JSON.parse(typed) as JsonValue;
  } catch (reason) {
    throw new Problem(words.value.rules.noJson(reason instanceof Error ? reason.message : ""));
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
    const { definition, ...options } = rules();
    // The service checks options when it describes the rules.
    const answer = definition ? await service.validateRuleset({ definition }) : (await describe(options), create(ValidateRulesetResponseSchema, { accepted: true }));
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
