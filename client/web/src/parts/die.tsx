// Dice: large ones to tap, and small ones in lines of text.
import type { Face, Ruleset } from "../rpc/contract";
import { faceName, words } from "../i18n";

/** Places of the pips of the faces 1 to 6, in a square of three by three. */
const PIPS = ["4", "26", "246", "0268", "02468", "023568"];

function faceOf(ruleset: Ruleset | undefined, value: number): Face | undefined {
  return ruleset?.faces.find((face) => face.value === value);
}

/** Whether faces have names, like those of poker dice. */
function isNamed(face: Face | undefined): face is Face {
  return !!face && face.label !== "" && face.label !== String(face.value);
}

/** The name of a face. */
export function spoken(ruleset: Ruleset | undefined, value: number): string {
  const face = faceOf(ruleset, value);
  return isNamed(face) ? faceName(face) : String(value);
}

/** The picture of a face. */
export function FacePicture({ ruleset, value }: { ruleset?: Ruleset; value: number }) {
  const face = faceOf(ruleset, value);
  const pips = isNamed(face) ? undefined : PIPS[value - 1];
  return (
    <svg class={isNamed(face) ? `face named rank-${face.label}` : "face"} viewBox="0 0 30 30" aria-hidden="true">
      {pips ? (
        [...pips].map((place) => <circle key={place} cx={7 + 8 * (Number(place) % 3)} cy={7 + 8 * Math.floor(Number(place) / 3)} r="2.75" />)
      ) : (
        <text x="15" y="15.6" text-anchor="middle" dominant-baseline="central">
          {isNamed(face) ? face.label : value}
        </text>
      )}
    </svg>
  );
}

/** Dice in a line of text. */
export function SmallDice({ ruleset, faces }: { ruleset?: Ruleset; faces: number[] }) {
  if (!faces.length) return null;
  return (
    <span class="small-dice" role="img" aria-label={faces.map((face) => spoken(ruleset, face)).join(" ")}>
      {faces.map((face, index) => (
        <span class="small-die" key={index}>
          <FacePicture ruleset={ruleset} value={face} />
        </span>
      ))}
    </span>
  );
}

/** A die that can be kept. */
export function BigDie(props: {
  ruleset?: Ruleset;
  face: number;
  kept: boolean;
  throws: number;
  place: number;
  disabled: boolean;
  onToggle: () => void;
}) {
  const { play } = words.value;
  const face = faceOf(props.ruleset, props.face);
  // A name contains what is seen: the label of a face, before its word.
  const name = isNamed(face) ? `${face.label} ${faceName(face)}` : String(props.face);
  return (
    <button
      class={`die ${props.kept ? "kept" : ""}`}
      aria-pressed={props.kept}
      aria-label={play.die(props.place, name)}
      aria-keyshortcuts={String(props.place)}
      disabled={props.disabled}
      onClick={props.onToggle}
    >
      <span key={props.throws} class={`cube ${props.throws ? `tumble tumble-${props.place % 3}` : ""}`}>
        <FacePicture ruleset={props.ruleset} value={props.face} />
      </span>
      <span class="tag" aria-hidden="true">
        {props.kept ? play.kept : " "}
      </span>
    </button>
  );
}
