// Command sample plays a game of dice poker against the service, as well as it can be played.
//
// Usage: sample HOST:PORT SERVICE_CONFIG.json
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	// Lets the balancer go by the health that the service config names.
	_ "google.golang.org/grpc/health"

	dicepoker "github.com/dicepoker/dicepoker/gen/dicepoker/v1"
)

const (
	ruleset  = "dice-poker-13"
	seed     = 42
	deadline = 5 * time.Second // for each call
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: sample HOST:PORT SERVICE_CONFIG.json")
	}
	config, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	connection, err := grpc.NewClient(os.Args[1],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(string(config)))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	if err := run(context.Background(), connection); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, connection *grpc.ClientConn) error {
	if err := requireHealthy(ctx, connection); err != nil {
		return err
	}
	service := dicepoker.NewDicePokerServiceClient(connection)
	showError(ctx, service)
	turns, points, err := game(ctx, service)
	if err != nil {
		return err
	}
	fmt.Printf("%s seed %d: %d turns, %d points\n", ruleset, seed, turns, points)
	return nil
}

// call makes one call with a deadline of its own.
func call[Q, A any](
	ctx context.Context,
	method func(context.Context, Q, ...grpc.CallOption) (A, error),
	request Q,
) (A, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	return method(ctx, request)
}

func requireHealthy(ctx context.Context, connection *grpc.ClientConn) error {
	health := grpc_health_v1.NewHealthClient(connection)
	answer, err := call(ctx, health.Check, &grpc_health_v1.HealthCheckRequest{
		Service: dicepoker.DicePokerService_ServiceDesc.ServiceName,
	})
	if err != nil {
		return err
	}
	fmt.Println("health:", answer.Status)
	if answer.Status != grpc_health_v1.HealthCheckResponse_SERVING {
		return fmt.Errorf("the service is not serving")
	}
	return nil
}

// showError asks for something that cannot be, to show what the service says of it.
func showError(ctx context.Context, service dicepoker.DicePokerServiceClient) {
	_, err := call(ctx, service.Score, &dicepoker.ScoreRequest{
		Ruleset: ruleset,
		Dice:    []uint32{1, 3, 2, 4, 7},
	})
	refused := status.Convert(err)
	fmt.Printf("refused: %v", code.Code(refused.Code()))
	for _, detail := range refused.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			fmt.Println("", detail.Reason)
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				fmt.Printf("  %s: %s\n", violation.Field, violation.Description)
			}
		}
	}
}

func game(
	ctx context.Context,
	service dicepoker.DicePokerServiceClient,
) (turns int, points int32, err error) {
	rules, err := call(ctx, service.GetRuleset, &dicepoker.GetRulesetRequest{Ruleset: ruleset})
	if err != nil {
		return 0, 0, err
	}
	position := &dicepoker.Position{RollsLeft: rules.Ruleset.Definition.Rolls}
	for {
		move, err := bestMove(ctx, service, position)
		if err != nil {
			return 0, 0, err
		}
		request := &dicepoker.ApplyRequest{Ruleset: ruleset, Position: position, Move: move}
		if move.GetKeep() != nil {
			request.Seed = proto.Uint64(seed)
		}
		applied, err := call(ctx, service.Apply, request)
		if err != nil {
			return 0, 0, err
		}
		position = applied.Position
		if applied.TurnEnded {
			turns++
			fmt.Printf("turn %d: %d in %s\n", turns, applied.Recorded.Points, applied.Recorded.Category)
		}
		if applied.GameEnded {
			return turns, applied.Totals[0].GrandTotal, nil
		}
	}
}

func bestMove(
	ctx context.Context,
	service dicepoker.DicePokerServiceClient,
	position *dicepoker.Position,
) (*dicepoker.Move, error) {
	if len(position.Dice) == 0 {
		// Every turn begins by throwing all dice.
		return &dicepoker.Move{Kind: &dicepoker.Move_Keep{Keep: &dicepoker.KeepMove{}}}, nil
	}
	advice, err := call(ctx, service.Suggest, &dicepoker.SuggestRequest{
		Ruleset:         ruleset,
		Position:        position,
		MaxAlternatives: 1,
	})
	if err != nil {
		return nil, err
	}
	return advice.Move, nil
}
