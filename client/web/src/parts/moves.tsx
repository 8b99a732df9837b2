// Ranked moves, with bars for their values.
import type { Alternative, Move, Ruleset, SuggestResponse } from "../rpc/contract";
import { number, percent, words } from "../i18n";
import { inChance } from "../game/family";
import { boxName } from "./box";
import { SmallDice, spoken } from "./die";

/** A move in a line of text. */
export function MoveLabel({ ruleset, move }: { ruleset?: Ruleset; move: Move | undefined }) {
  const { moves } = words.value;
  switch (move?.kind.case) {
    case "keep":
      return move.kind.value.dice.length ? (
        <span class="move">
          <span class="verb">{moves.keep}</span> <SmallDice ruleset={ruleset} faces={move.kind.value.dice} />
          {move.kind.value.buys && <small>{moves.buys}</small>}
        </span>
      ) : (
        <span class="move">{moves.throwAll}</span>
      );
    case "record":
      return (
        <span class="move">
          <span class="verb">{moves.record}</span> <b>{boxName(ruleset, move.kind.value)}</b>
        </span>
      );
    case "announce":
      return (
        <span class="move">
          <span class="verb">{moves.announce}</span> <b>{boxName(ruleset, move.kind.value)}</b>
        </span>
      );
    default:
      return <span class="move">{otherText(move)}</span>;
  }
}

/** A move as plain text. */
export function moveText(ruleset: Ruleset | undefined, move: Move | undefined): string {
  const { moves } = words.value;
  if (move?.kind.case === "keep") {
    const faces = move.kind.value.dice.map((face) => spoken(ruleset, face));
    return faces.length ? `${moves.keep} ${faces.join(" ")}` : moves.throwAll;
  }
  if (move?.kind.case === "record") return `${moves.record} ${boxName(ruleset, move.kind.value)}`;
  return move?.kind.case === "announce" ? `${moves.announce} ${boxName(ruleset, move.kind.value)}` : otherText(move);
}

/** A move that names neither dice nor a row, as text. */
export function otherText(move: Move | undefined): string {
  const { moves } = words.value;
  switch (move?.kind.case) {
    case "raise":
      return moves.raise(move.kind.value.amount);
    case "accept":
      return moves.accept;
    case "giveUp":
      return moves.giveUp;
    default:
      return moves.stop;
  }
}

/** The unit of a ranking: points, or a probability. */
export type Unit = "points" | "chance";

export const worth = (value: number, unit: Unit) => (unit === "points" ? number(value, 2) : percent(value, 1));

/** The figure by which moves are ranked. */
export function valueOf(alternative: Alternative): number {
  if (alternative.chances) return alternative.chances.win + alternative.chances.draw / 2;
  return alternative.targetProbability ?? alternative.expectedValue;
}

export function unitOf(answer: SuggestResponse, ruleset: Ruleset | undefined, players: number): Unit {
  const first = answer.alternatives[0];
  if (first?.chances || first?.targetProbability !== undefined) return "chance";
  return inChance(ruleset, players) ? "chance" : "points";
}

export interface RankingProps {
  ruleset?: Ruleset;
  answer: SuggestResponse;
  unit: Unit;
  most: number;
  /** The move pointed at. */
  pointed?: number;
  onPoint?: (index: number) => void;
  onChoose?: (move: Move) => void;
}

/** Moves from best to worst. */
export function Ranking({ ruleset, answer, unit, most, pointed, onPoint, onChoose }: RankingProps) {
  const { moves } = words.value;
  const shown = answer.alternatives.slice(0, most);
  const values = shown.map(valueOf);
  const best = Math.max(...values);
  const spread = Math.max(best - Math.min(...values), unit === "points" ? 1 : 0.01);
  return (
    <ol class="ranking">
      {shown.map((alternative, index) => {
        const value = values[index]!;
        const length = unit === "chance" && !alternative.expectedMargin && alternative.chances ? value : 0.12 + 0.88 * (1 - (best - value) / spread);
        return (
          <li key={index}>
            <button
              class={`ranked ${pointed === index ? "pointed" : ""} ${alternative.regret < 5e-5 ? "best" : ""}`}
              aria-pressed={onPoint ? pointed === index : undefined}
              onPointerEnter={() => onPoint?.(index)}
              onFocus={() => onPoint?.(index)}
              onClick={() => (onChoose ? onChoose(alternative.move!) : onPoint?.(index))}
            >
              <MoveLabel ruleset={ruleset} move={alternative.move} />
              <span class="worth">{worth(value, unit)}</span>
              {alternative.chances ? (
                <span class="bar chances" aria-hidden="true">
                  <i class="win" style={{ width: `${100 * alternative.chances.win}%` }} />
                  <i class="draw" style={{ width: `${100 * alternative.chances.draw}%` }} />
                </span>
              ) : (
                <span class="bar" aria-hidden="true">
                  <i style={{ width: `${100 * Math.max(0.01, length)}%` }} />
                </span>
              )}
              <span class="regret">{alternative.regret < 5e-5 ? moves.best : `−${unit === "points" ? number(alternative.regret, 2) : percent(alternative.regret, 1)}`}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
