// Which rules a request names, and what the service says of them.
import { create, fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { signal } from "@preact/signals";

import {
  type Ruleset,
  type RulesetDefinition,
  RulesetDefinitionSchema,
  RulesetFamily,
  RulesetSchema,
  type ShowdownDefinition,
  ShowdownOrder,
} from "./contract";
import { service } from "./client";

/** The rules of a request: a built-in ruleset, or a definition. */
export interface Rules {
  ruleset: string;
  options?: JsonObject;
  definition?: RulesetDefinition;
}

/** The rules as fields of a request. */
export function asked({ ruleset, options, definition }: Rules) {
  if (definition) return { definition };
  return options && Object.keys(options).length ? { ruleset, options } : { ruleset };
}

/** The kinds of games that this page can show; a newer server may have more. */
const SHOWN = new Set([RulesetFamily.SCORE_SHEET, RulesetFamily.RACE, RulesetFamily.SHOWDOWN]);

/** The built-in rulesets, once they are loaded. */
export const catalogue = signal<Ruleset[]>([]);

/** Loads the built-in rulesets, all pages of them. */
export async function loadCatalogue(): Promise<Ruleset[]> {
  if (catalogue.value.length) return catalogue.value;
  const rulesets: Ruleset[] = [];
  let pageToken = "";
  do {
    const page = await service.listRulesets({ pageToken });
    rulesets.push(...page.rulesets.filter(({ family }) => SHOWN.has(family)));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return (catalogue.value = rulesets);
}

/** What is known of rules: with their options applied, or made from a definition. */
export async function describe(rules: Rules): Promise<Ruleset> {
  if (rules.definition) {
    const { showdown, faces } = rules.definition;
    const family = showdown ? RulesetFamily.SHOWDOWN : RulesetFamily.SCORE_SHEET;
    const template = (await loadCatalogue()).find((one) => one.family === family);
    const [minPlayers, maxPlayers] = showdown ? playersOf(showdown) : [1, 32];
    return create(RulesetSchema, {
      family,
      faces: template?.faces.slice(0, faces),
      definition: rules.definition,
      minPlayers,
      maxPlayers,
      profiles: template?.profiles.map((profile) => ({ ...profile, meanScore: undefined })),
      levels: [],
    });
  }
  const { ruleset } = await service.getRuleset(asked(rules) as { ruleset: string; options?: JsonObject });
  return ruleset!;
}

/** The fewest and the most players of a showdown. */
function playersOf({ payout, order, raises }: ShowdownDefinition): [number, number] {
  if (payout) return [1, 1];
  return [2, order === ShowdownOrder.SIMULTANEOUS || raises > 0 ? 2 : 8];
}

/** Rules as JSON, for files and addresses. */
export function rulesToJson(rules: Rules): JsonObject {
  const { ruleset, options, definition } = rules;
  if (definition) return { definition: toJson(RulesetDefinitionSchema, definition) };
  return options ? { ruleset, options } : { ruleset };
}

/** Reads rules from JSON. */
export function rulesFromJson(json: JsonValue): Rules {
  const { ruleset, options, definition } = json as JsonObject;
  return {
    ruleset: typeof ruleset === "string" ? ruleset : "",
    options: options as JsonObject | undefined,
    definition: definition ? fromJson(RulesetDefinitionSchema, definition) : undefined,
  };
}
