// Command play plays a game of dice poker against the service, as well as it can be played.
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

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/protobuf/proto"

	dicepoker "github.com/dicepoker/dicepoker/client/go"
	pb "github.com/dicepoker/dicepoker/client/go/dicepokerv1"
)

const (
	ruleset = "dice-poker-13"
	seed    = 42
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
