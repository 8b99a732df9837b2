// Play: a new game, or the one on the table.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { gameFromJson } from "../../game/game";
import { pack, unpack } from "../../game/packed";
import { gameToJson } from "../../game/game";
import * as play from "../../game/play";
import { failureOf, type Failure } from "../../rpc/failure";
import { carry, route } from "../../route";
import { Setup } from "./setup";
import { Table } from "./table";

/** The reason why a game from the address or a file is not on the table. */
export const refused = signal<Failure>();

/** Puts the game of a file or an address on the table. */
export async function take(json: () => Promise<unknown>): Promise<void> {
  refused.value = undefined;
  try {
    await play.resume(gameFromJson((await json()) as never));
  } catch (reason) {
    refused.value = failureOf(reason, () => void take(json));
  }
}

export function Play() {
  const packed = route.value.carried.get("game");
  useEffect(() => {
    if (packed && !play.game.value) void take(() => unpack(packed));
  }, [packed]);
  // The address always contains the current game.
  useEffect(
    () =>
      play.game.subscribe((game) => {
        if (!game) return;
        void pack(gameToJson(game)).then((text) => {
          if (play.game.value === game) carry("play", { game: text });
        });
      }),
    [],
  );
  return play.game.value ? <Table /> : <Setup />;
}
