"""A bot for a game of one's own, whose rules are data: own_game.py HOST:PORT SERVICE_CONFIG.json"""

import random
import sys
import grpc
from google.protobuf.json_format import ParseDict

from dicepoker.v1 import dice_poker_service_pb2 as api, dice_poker_service_pb2_grpc as stubs
from dicepoker.v1 import position_pb2 as table, ruleset_pb2

RULES = ParseDict({"dice": 4, "faces": 6, "rolls": 2, "categories": [
    {"id": "evens", "section": "SECTION_LOWER", "pattern": {"allEven": {}}, "points": {"fixed": 20}},
    {"id": "two_pairs", "section": "SECTION_LOWER", "pattern": {"groups": {"sizes": [2, 2]}},
     "points": {"sum": "DICE_SUM_ALL"}},
    {"id": "chance", "section": "SECTION_LOWER", "pattern": {"any": {}}, "points": {"sum": "DICE_SUM_ALL"}},
]}, ruleset_pb2.RulesetDefinition())
options = [("grpc.service_config", open(sys.argv[2]).read())]
service = stubs.DicePokerServiceStub(grpc.insecure_channel(sys.argv[1], options))
position = table.Position(rolls_left=RULES.rolls)
generator, over = random.Random(42), False  # your own game throws the dice: here by a fixed seed
while not over:
    question = api.SuggestRequest(definition=RULES, position=position, max_alternatives=1)
    move = service.Suggest(question, timeout=10).move
    throws = RULES.dice - len(move.keep.dice) if move.HasField("keep") else 0
    thrown = [generator.randint(1, RULES.faces) for _ in range(throws)]
    played = api.ApplyRequest(definition=RULES, position=position, move=move, dice=thrown)
    applied = service.Apply(played, timeout=10)
    position, over = applied.position, applied.game_ended
    print(f"bot: {move.record.category or 'throws ' + str(throws)} {list(position.dice)}")
print(f"own game: {applied.totals[0].grand_total} points")
