// The dice on the table as a person sees them: each has its place, and keeps it while it is kept.
import { signal } from "@preact/signals";

/** A die on the table. */
export interface Die {
  face: number;
  kept: boolean;
  /** Changes whenever the die is thrown. */
  throws: number;
}

export const dice = signal<Die[]>([]);

/** Lays dice as they are, none of them kept. */
export function lay(faces: number[]): void {
  dice.value = faces.map((face) => ({ face, kept: false, throws: 0 }));
}

/** Throws the dice that are not kept. */
export function fall(thrown: number[], all: number): void {
  const waiting = [...thrown];
  const table = dice.value.length === all ? dice.value : Array.from({ length: all }, () => ({ face: 1, kept: false, throws: 0 }));
  dice.value = table.map((die) => {
    if (die.kept) return die;
    return { face: waiting.shift() ?? die.face, kept: false, throws: die.throws + 1 };
  });
}

/** Marks as kept dice of these faces, as far as there are. */
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
  dice.value = dice.value.map((die, i) => (i === index ? { ...die, kept: !die.kept } : die));
}

export const keptFaces = () => dice.value.filter((die) => die.kept).map((die) => die.face);
