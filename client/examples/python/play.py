"""Plays a game and a match of dice poker against the service, as well as they can be played.

Usage: python play.py HOST:PORT
"""

import os
import pathlib
import sys

import dicepoker
import grpc

RULESET = "dice-poker-13"
SHOWDOWN = "dice-poker-witcher"
SEED = 42


def main():
    with connect(sys.argv[1]) as client:
        try:
            client.score(ruleset=RULESET, dice=[1, 3, 2, 4, 7])
        except dicepoker.Error as error:
            print("error:", error.code.name, error.reason)
            for violation in error.field_violations:
                print(f"  {violation.field}: {violation.description}")
        turns, points = game(client)
        print(f"{RULESET} seed {SEED}: {turns} turns, {points} points")
        winners = match(client)
    print(f"{SHOWDOWN} seed {SEED}: won by {winners}")


def connect(target):
    """In plain text, or with TLS where DICEPOKER_CA names a file of certificate authorities."""
    ca = os.environ.get("DICEPOKER_CA")
    tls = grpc.ssl_channel_credentials(pathlib.Path(ca).read_bytes()) if ca else None
    return dicepoker.Client(target, tls=tls, token=os.environ.get("DICEPOKER_TOKEN"))


def game(client):
    rules = client.get_ruleset(ruleset=RULESET).ruleset
    position = {"rolls_left": rules.definition.rolls}
    turns = 0
    while True:
        move = client.suggest(ruleset=RULESET, position=position, max_alternatives=1).move
        seed = SEED if move.HasField("keep") else None
        applied = client.apply(ruleset=RULESET, position=position, move=move, seed=seed)
        position = applied.position
        if applied.turn_ended:
            turns += 1
            print(f"turn {turns}: {applied.recorded.points} in {applied.recorded.category}")
        if applied.game_ended:
            return turns, applied.totals[0].grand_total


def match(client):
    """A match of two players, each of whom makes the best moves."""
    rules = client.get_ruleset(ruleset=SHOWDOWN).ruleset
    position = {"rolls_left": rules.definition.rolls}
    rounds = 0
    while True:
        move = client.suggest(ruleset=SHOWDOWN, position=position, max_alternatives=1).move
        applied = client.apply(ruleset=SHOWDOWN, position=position, move=move, seed=SEED)
        position = applied.position
        if applied.HasField("round"):
            rounds += 1
            hands = " against ".join(hand.title for hand in applied.round.hands)
            print(f"round {rounds}: {hands}, won by {players(applied.round.winners)}")
        if applied.game_ended:
            return players(applied.winners)


def players(indices):
    return " and ".join(f"player {index}" for index in indices)


if __name__ == "__main__":
    main()
