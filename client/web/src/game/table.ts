// The dice on the table as a person sees them: each has a place, which does not change while it is kept.
import { signal } from "@preact/signals";

/** A die on the table. */
export interface Die {
  face: number;
  kept: boolean;
  /** Whether it must stay until the turn ends. */
  stays: boolean;
  /** Changes whenever the die is thrown. */
  throws: number;
}

export const dice = signal<Die[]>([]);

/** Places dice; those of the faces in `bound` were kept and must stay. */
export function lay(faces: number[], bound: number[] = []): void {
  const wanted = [...bound];
  dice.value = faces.map((face) => {
    const place = wanted.indexOf(face);
    if (place >= 0) wanted.splice(place, 1);
    return { face, kept: place >= 0, stays: place >= 0, throws: 0 };
  });
}

/** Places dice unless they are there already. */
export function show(faces: number[], bound: number[] = []): void {
  const sorted = (list: number[]) => [...list].sort((a, b) => a - b).join();
  if (sorted(faces) !== sorted(dice.value.map(({ face }) => face))) lay(faces, bound);
}

/** Throws the dice that are not kept. Where kept dice stay, the others remain bound to the table. */
export function fall(thrown: number[], all: number, stay: boolean): void {
  const waiting = [...thrown];
  const table = dice.value.length === all ? dice.value : Array.from({ length: all }, () => ({ face: 1, kept: false, stays: false, throws: 0 }));
  dice.value = table.map((die) => {
    if (die.kept) return { ...die, stays: stay };
    return { face: waiting.shift() ?? die.face, kept: false, stays: false, throws: die.throws + 1 };
  });
}

/** Marks dice of these faces as kept, as far as possible. */
export function hold(faces: number[]): void {
  const wanted = [...faces];
  dice.value = dice.value.map((die) => {
    const place = wanted.indexOf(die.face);
    if (place < 0) return { ...die, kept: false };
    wanted.splice(place, 1);
    return { ...die, kept: true };
  });
}

export function toggle(index: number): void {
  dice.value = dice.value.map((die, i) => (i === index && !die.stays ? { ...die, kept: !die.kept } : die));
}

export const keptFaces = () => dice.value.filter((die) => die.kept).map((die) => die.face);
