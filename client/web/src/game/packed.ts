// JSON in an address: compressed and written in letters that need no escape.
import type { JsonValue } from "@bufbuild/protobuf";

import { words } from "../i18n";
import { Problem } from "../rpc/failure";

/** The most bytes that an address may unpack to. */
const MOST = 4 << 20;

export async function pack(json: JsonValue): Promise<string> {
  const stream = new Blob([JSON.stringify(json)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpack(packed: string): Promise<JsonValue> {
  try {
    const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const parts: BlobPart[] = [];
    let size = 0;
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST) throw new Error("too large");
      parts.push(value);
    }
    return JSON.parse(await new Blob(parts).text());
  } catch {
    throw new Problem(words.value.failures.brokenAddress);
  }
}
