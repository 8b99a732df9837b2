// The words of the page in the reader's language.
import { computed, signal } from "@preact/signals";

import type { Category, Face, Ruleset } from "../rpc/contract";
import { stored, storeAs } from "../storage";
import { en } from "./en";
import { lt } from "./lt";
import { categories, rulesets } from "./names";
import { pt } from "./pt";

export const languages = { en: "English", pt: "Português", lt: "Lietuvių" } as const;

export type Language = keyof typeof languages;

const KEY = "dicepoker.language";

function first(): Language {
  const wanted = [stored(KEY), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return (wanted.find((tag) => tag && tag in languages) as Language | undefined) ?? "en";
}

export const language = signal<Language>(first());

language.subscribe((value) => {
  document.documentElement.lang = value;
});

export function choose(value: Language): void {
  language.value = value;
  storeAs(KEY, value);
}

export const words = computed(() => ({ en, pt, lt })[language.value]);

/** A row's name: that of the ruleset in this language, else a usual one, else that in English. */
export function categoryName(category: Pick<Category, "id" | "title" | "localTitles">): string {
  const local = category.localTitles[language.value];
  return local ?? (language.value === "en" ? category.title : categories[language.value][category.id]) ?? (category.title || category.id.replaceAll("_", " "));
}

/** A ruleset's title. */
export function rulesetName({ id, title }: Pick<Ruleset, "id" | "title">): string {
  return language.value === "en" ? title : (rulesets[language.value][id] ?? title);
}

/** The name of the row with this id. */
export function rowName(ruleset: Ruleset | undefined, id: string): string {
  const category = ruleset?.definition?.categories.find((row) => row.id === id);
  return category ? categoryName(category) || id : id;
}

export const faceName = (face: Face) => face.localTitles[language.value] ?? face.title;

const formats = new Map<string, Intl.NumberFormat>();

/** A number with this many digits after the point, as the language writes it. */
export function number(value: number, digits = 0): string {
  const key = `${language.value} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

/** A share as per cent. */
export const percent = (share: number, digits = 1) => `${number(share * 100, digits)} %`;

/** A number with its sign. */
export const signed = (value: number, digits = 1) =>
  `${value > 0 ? "+" : value < 0 ? "−" : "±"}${number(Math.abs(value), digits)}`;
