"""Plays a game of dice poker against the service, as well as it can be played.

Usage: python play.py HOST:PORT SERVICE_CONFIG.json
"""

import sys
from pathlib import Path

import grpc
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from dicepoker.v1 import dice_poker_service_pb2 as api
from dicepoker.v1 import dice_poker_service_pb2_grpc as stubs
from dicepoker.v1 import position_pb2 as table

RULESET = "dice-poker-13"
SEED = 42
DEADLINE = 5  # seconds, for each call


def require_healthy(channel):
    request = health_pb2.HealthCheckRequest(service="dicepoker.v1.DicePokerService")
    try:
        answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=DEADLINE)
    except grpc.RpcError as failed:
        sys.exit(f"the service is not serving: {failed.details()}")
    print("health:", health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        sys.exit("the service is not serving")


def show_error(service):
    """Asks for something that cannot be, to show what the service says of it."""
    try:
        service.Score(api.ScoreRequest(ruleset=RULESET, dice=[1, 3, 2, 4, 7]), timeout=DEADLINE)
    except grpc.RpcError as refused:
        reason, violations = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        for detail in rpc_status.from_call(refused).details:
            detail.Unpack(reason) or detail.Unpack(violations)
        print("refused:", refused.code().name, reason.reason)
        for violation in violations.field_violations:
            print(f"  {violation.field}: {violation.description}")


def best_move(service, position):
    if not position.dice:
        return table.Move(keep=table.KeepMove())  # every turn begins by throwing all dice
    request = api.SuggestRequest(ruleset=RULESET, position=position, max_alternatives=1)
    return service.Suggest(request, timeout=DEADLINE).move


def game(service):
    ruleset = service.GetRuleset(api.GetRulesetRequest(ruleset=RULESET), timeout=DEADLINE).ruleset
    position = table.Position(rolls_left=ruleset.definition.rolls)
    turns = 0
    while True:
        move = best_move(service, position)
        request = api.ApplyRequest(ruleset=RULESET, position=position, move=move)
        if move.HasField("keep"):
            request.seed = SEED
        applied = service.Apply(request, timeout=DEADLINE)
        position = applied.position
        if applied.turn_ended:
            turns += 1
            print(f"turn {turns}: {applied.recorded.points} in {applied.recorded.category}")
        if applied.game_ended:
            return turns, applied.totals[0].grand_total


def main():
    address, service_config = sys.argv[1], Path(sys.argv[2]).read_text()
    options = [("grpc.service_config", service_config), ("grpc.enable_retries", 1)]
    with grpc.insecure_channel(address, options=options) as channel:
        require_healthy(channel)
        service = stubs.DicePokerServiceStub(channel)
        show_error(service)
        turns, points = game(service)
    print(f"{RULESET} seed {SEED}: {turns} turns, {points} points")


if __name__ == "__main__":
    main()
