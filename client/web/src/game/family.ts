// The differences between the families of games that this page needs.
import { RulesetFamily, type Position, type Ruleset } from "../rpc/contract";

type Known = Ruleset | undefined;

export const isRace = (of: Known) => of?.family === RulesetFamily.RACE;
export const isShowdown = (of: Known) => of?.family === RulesetFamily.SHOWDOWN;
export const isSheet = (of: Known) => !isRace(of) && !isShowdown(of);

/** How many players a position has. */
export const playersIn = ({ showdown, scorecards }: Position) => showdown?.players.length || scorecards.length;

/** Whether a showdown is played for stakes: against a pay table, or with raises. */
export const hasStakes = (of: Known) => !!of?.definition?.showdown && (of.definition.showdown.payout || of.definition.showdown.raises > 0);

/** Whether values are probabilities to win, not points or stakes. */
export function inChance(of: Known, players: number): boolean {
  return isRace(of) ? players > 1 : isShowdown(of) && !hasStakes(of);
}

/** Whether dice once kept stay until the turn or the round ends. */
export const staysKept = (of: Known) => !!of?.definition?.keptDiceStay || !!of?.definition?.showdown?.setAside;
