// Boxes of a card: a row in a column. A sheet of one column has no name for it.
import { FillOrder, type Category, type Column, type RulesetDefinition } from "../rpc/contract";
import { rowName, words } from "../i18n";
import type { Ruleset } from "../rpc/contract";

export interface Box {
  category: string;
  /** Id of the column, on a sheet with several. */
  column?: string;
}

export const sameBox = (one: Box, other: Box) => one.category === other.category && (one.column ?? "") === (other.column ?? "");

/** The columns of a sheet; a nameless one where it has none. */
export function columnsOf(definition: RulesetDefinition | undefined): Pick<Column, "id" | "title" | "order" | "weight">[] {
  const columns = definition?.columns ?? [];
  return columns.length ? columns : [{ id: "", title: "", order: FillOrder.UNSPECIFIED, weight: 0 }];
}

export function columnName({ id, title }: Pick<Column, "id" | "title">): string {
  const { columns } = words.value.sheet;
  return columns[id as keyof typeof columns] ?? (title || id.replaceAll("_", " "));
}

/** The order in which a column is filled, as a sign. */
export function columnSign({ order }: Pick<Column, "order">): string {
  return order === FillOrder.DOWN ? "↓" : order === FillOrder.UP ? "↑" : order === FillOrder.ANNOUNCED ? "◎" : "";
}

/** The name of a box for people. */
export function boxName(ruleset: Ruleset | undefined, { category, column }: Box): string {
  const found = ruleset?.definition?.columns.find(({ id }) => id === column);
  return found ? `${rowName(ruleset, category)} (${columnName(found)})` : rowName(ruleset, category);
}

/** The number of entries of a row. */
export const placesOf = (row: Pick<Category, "entries"> | undefined) => Math.max(1, row?.entries ?? 1);
