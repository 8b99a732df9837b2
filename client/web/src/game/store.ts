// Storage of games: the last one in this browser, any in an address or a file.
import type { JsonValue } from "@bufbuild/protobuf";

import { words } from "../i18n";
import { Problem } from "../rpc/failure";
import { stored, storeAs } from "../storage";
import { gameFromJson, gameToJson, type Game } from "./game";

const KEY = "dicepoker.game";

/** The largest file that is read, in bytes. */
const LARGEST = 4 << 20;

export const keep = (game: Game) => storeAs(KEY, JSON.stringify(gameToJson(game)));

export function kept(): Game | undefined {
  try {
    const text = stored(KEY);
    return text ? gameFromJson(JSON.parse(text)) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file of JSON. */
export async function readJson(file: File): Promise<JsonValue> {
  if (file.size > LARGEST) throw new Problem(words.value.failures.largeFile);
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Problem(words.value.failures.noJson(file.name));
  }
}

/** Offers JSON as a file. */
export function saveJson(json: JsonValue, name: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(json, null, 1)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
