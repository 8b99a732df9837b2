// Command play plays a game and a match of dice poker against the service, as well as they can be
// played.
//
// Usage: play HOST:PORT
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/protobuf/proto"

	dicepoker "github.com/dicepoker/dicepoker/client/go"
	pb "github.com/dicepoker/dicepoker/client/go/dicepokerv1"
)

const (
	ruleset  = "dice-poker-13"
	showdown = "dice-poker-witcher"
	seed     = 42
)

func main() {
	log.SetFlags(0)
	client, err := connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	if err := play(context.Background(), client); err != nil {
		log.Fatal(err)
	}
	if err := match(context.Background(), client); err != nil {
		log.Fatal(err)
	}
}

// connect uses plain text, or TLS where DICEPOKER_CA names a file of certificate authorities.
func connect(target string) (*dicepoker.Client, error) {
	options := []dicepoker.Option{dicepoker.WithToken(os.Getenv("DICEPOKER_TOKEN"))}
	if file := os.Getenv("DICEPOKER_CA"); file != "" {
		ca, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		trusted := x509.NewCertPool()
		trusted.AppendCertsFromPEM(ca)
		options = append(options, dicepoker.WithTLS(&tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}))
	}
	return dicepoker.New(target, options...)
}

func play(ctx context.Context, client *dicepoker.Client) error {
	_, err := client.Score(ctx, &pb.ScoreRequest{Ruleset: ruleset, Dice: []uint32{1, 3, 2, 4, 7}})
	var failed *dicepoker.Error
	if errors.As(err, &failed) {
		fmt.Println("error:", code.Code(failed.Code), failed.Reason)
		for _, violation := range failed.FieldViolations {
			fmt.Printf("  %s: %s\n", violation.Field, violation.Description)
		}
	}
	rules, err := client.GetRuleset(ctx, &pb.GetRulesetRequest{Ruleset: ruleset})
	if err != nil {
		return err
	}
	position := &pb.Position{RollsLeft: rules.Ruleset.Definition.Rolls}
	for turns := 0; ; {
		advice, err := client.Suggest(ctx, &pb.SuggestRequest{
			Ruleset: ruleset, Position: position, MaxAlternatives: 1,
		})
		if err != nil {
			return err
		}
		request := &pb.ApplyRequest{Ruleset: ruleset, Position: position, Move: advice.Move}
		if advice.Move.GetKeep() != nil {
			request.Seed = proto.Uint64(seed)
		}
		applied, err := client.Apply(ctx, request)
		if err != nil {
			return err
		}
		position = applied.Position
		if applied.TurnEnded {
			turns++
			fmt.Printf("turn %d: %d in %s\n", turns, applied.Recorded.Points, applied.Recorded.Category)
		}
		if applied.GameEnded {
			total := applied.Totals[0].GrandTotal
			fmt.Printf("%s seed %d: %d turns, %d points\n", ruleset, seed, turns, total)
			return nil
		}
	}
}

// match plays a match of two players, each of whom makes the best moves.
func match(ctx context.Context, client *dicepoker.Client) error {
	rules, err := client.GetRuleset(ctx, &pb.GetRulesetRequest{Ruleset: showdown})
	if err != nil {
		return err
	}
	position := &pb.Position{RollsLeft: rules.Ruleset.Definition.Rolls}
	for rounds := 0; ; {
		advice, err := client.Suggest(ctx, &pb.SuggestRequest{
			Ruleset: showdown, Position: position, MaxAlternatives: 1,
		})
		if err != nil {
			return err
		}
		applied, err := client.Apply(ctx, &pb.ApplyRequest{
			Ruleset: showdown, Position: position, Move: advice.Move, Seed: proto.Uint64(seed),
		})
		if err != nil {
			return err
		}
		position = applied.Position
		if applied.Round != nil {
			rounds++
			var hands []string
			for _, hand := range applied.Round.Hands {
				hands = append(hands, hand.Title)
			}
			against := strings.Join(hands, " against ")
			fmt.Printf("round %d: %s, won by %s\n", rounds, against, players(applied.Round.Winners))
		}
		if applied.GameEnded {
			fmt.Printf("%s seed %d: won by %s\n", showdown, seed, players(applied.Winners))
			return nil
		}
	}
}

func players(indices []uint32) string {
	var names []string
	for _, index := range indices {
		names = append(names, fmt.Sprintf("player %d", index))
	}
	return strings.Join(names, " and ")
}
