// The game under review, and its review.
import type { JsonValue } from "@bufbuild/protobuf";
import { batch, signal } from "@preact/signals";

import { gameFromJson, type Game } from "../../game/game";
import { type Position, type ReviewResponse, type Ruleset } from "../../rpc/contract";
import { service } from "../../rpc/client";
import { failureOf, type Failure } from "../../rpc/failure";
import { asked, describe } from "../../rpc/rules";

export const game = signal<Game>();
export const ruleset = signal<Ruleset>();
export const review = signal<ReviewResponse>();
export const failure = signal<Failure>();
export const busy = signal(false);
/** The step looked at. */
export const chosen = signal(0);
/** The position before each step, as far as they are known. */
export const positions = signal<Position[]>([]);

let round = 0;

/** Reviews the game of a file or an address. */
export async function study(json: () => Promise<JsonValue>): Promise<void> {
  const own = ++round;
  batch(() => {
    busy.value = true;
    failure.value = undefined;
  });
  try {
    const played = gameFromJson(await json());
    const [found, reviewed] = await Promise.all([
      describe(played.rules),
      service.review({ ...asked(played.rules), position: played.start, steps: played.steps }),
    ]);
    if (own !== round) return;
    batch(() => {
      game.value = played;
      ruleset.value = found;
      review.value = reviewed;
      positions.value = [played.start];
      chosen.value = worst(reviewed);
      busy.value = false;
    });
    await replay(own, played);
  } catch (reason) {
    if (own !== round) return;
    batch(() => {
      busy.value = false;
      failure.value = failureOf(reason, () => void study(json));
    });
  }
}

/** The step with the greatest regret. */
function worst({ steps }: ReviewResponse): number {
  return steps.reduce((best, step, index) => (step.regret > (steps[best]?.regret ?? 0) ? index : best), 0);
}

/** Plays the game again, to know the position before each step. */
async function replay(own: number, { rules, start, steps }: Game): Promise<void> {
  const known = [start];
  for (const step of steps.slice(0, -1)) {
    const { position } = await service.apply({ ...asked(rules), position: known.at(-1)!, move: step.move!, dice: step.thrown });
    if (own !== round) return;
    known.push(position!);
    if (known.length % 16 === 0) positions.value = [...known];
  }
  positions.value = known;
}

/** Expected results after each step, one line for each player. */
export function expectations({ steps, players }: ReviewResponse): (number | null)[][] {
  const lines = players.map(({ startValue }) => [startValue ?? null] as (number | null)[]);
  for (const { player, bestValue, regret, luck } of steps) {
    lines.forEach((line, seat) => line.push(seat === player ? bestValue - regret + luck : line.at(-1)!));
  }
  return lines;
}

/** Sums of luck and of mistakes of one player, after each step. */
export function balance({ steps }: ReviewResponse, seat: number): [number[], number[]] {
  const lucks = [0];
  const regrets = [0];
  for (const { player, regret, luck } of steps) {
    lucks.push(lucks.at(-1)! + (player === seat ? luck : 0));
    regrets.push(regrets.at(-1)! - (player === seat ? regret : 0));
  }
  return [lucks, regrets];
}
