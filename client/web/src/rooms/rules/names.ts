// What rows, hands and bonuses of the draft are called.
import type { JsonObject } from "@bufbuild/protobuf";

import { language, rowName, words } from "../../i18n";
import { categories } from "../../i18n/names";
import * as d from "./draft";

const list = (of: JsonObject | undefined, name: string) => (of?.[name] ?? []) as JsonObject[];

/** The name of the thing with this id, of this column and entry; of a bonus by its place in the definition. */
export function nameOf(id: string, column = "", entry = 0): string {
  const { rules } = words.value;
  if (d.hasOptionsOnly.value) return rowName(d.ruleset.value, id);
  const draft = d.draft.value;
  const own = [...list(draft, "categories"), ...list(draft?.showdown as JsonObject | undefined, "hands")].find((one) => one.id === id);
  const of = column && ((list(draft, "columns").find((one) => one.id === column)?.title as string | undefined) || column);
  const parts = [own ? nameOfRow(own) : bonus(id, draft), of, entry > 0 && rules.entry(entry + 1)];
  return parts.filter(Boolean).join(", ");
}

function nameOfRow(row: JsonObject): string {
  const local = (row.local_titles as Record<string, string> | undefined)?.[language.value];
  const id = row.id as string;
  const usual = language.value === "en" ? undefined : categories[language.value][id];
  return local || usual || (row.title as string | undefined) || id.replaceAll("_", " ");
}

function bonus(field: string, draft: JsonObject | undefined): string {
  const { rules } = words.value;
  const [, name, index] = /^(\w+)(?:\[(\d+)\])?/.exec(field) ?? [];
  const at = list(draft, name ?? "")[Number(index)];
  switch (name) {
    case "upper_bonuses":
      return rules.upperBonus(String(at?.threshold ?? ""));
    case "five_alike_bonus":
      return rules.alikeBonus;
    case "bonuses": {
      const step = list(at, "steps")[Number(/steps\[(\d+)\]/.exec(field)?.[1])];
      return rules.bonus(String(step?.at ?? 0), Number(index) + 1);
    }
    default:
      return field.replaceAll("_", " ");
  }
}
