// The room of an address, and its parameters: `#/play?game=…`.
import { signal } from "@preact/signals";

export const rooms = ["play", "analyse", "review", "rules"] as const;

export type Room = (typeof rooms)[number];

interface Route {
  room: Room;
  carried: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const room = rooms.find((name) => name === path) ?? "play";
  return { room, carried: new URLSearchParams(query) };
}

export const route = signal<Route>(read());

addEventListener("hashchange", () => (route.value = read()));

export const addressOf = (room: Room, carried?: Record<string, string>) =>
  `#/${room}${carried ? `?${new URLSearchParams(carried)}` : ""}`;

/** Goes to a room. */
export function go(room: Room, carried?: Record<string, string>): void {
  location.hash = addressOf(room, carried);
}

/** Changes the parameters of this room's address, without a new entry in the history. */
export function carry(room: Room, carried?: Record<string, string>): void {
  if (route.value.room === room) history.replaceState(null, "", addressOf(room, carried));
}
