// Package dicepoker is the client of the dicepoker service: scores, moves and advice for dice games.
package dicepoker

import (
	"context"
	"crypto/tls"
	_ "embed"
	"fmt"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	// Balances by the health that the service config names.
	_ "google.golang.org/grpc/health"

	pb "github.com/dicepoker/dicepoker/client/go/dicepokerv1"
)

//go:embed service-config.json
var serviceConfig string

// Client is a client of the service. Its methods are those of the contract; they return an [*Error]
// if a call fails. Deadlines, retries and balancing over healthy replicas are built in.
type Client struct {
	pb.DicePokerServiceClient
	connection *grpc.ClientConn
}

// Option is a setting of a client.
type Option func(*settings)

type settings struct {
	tls     *tls.Config
	token   string
	timeout time.Duration
	dial    []grpc.DialOption
}

// WithTLS encrypts connections. A nil configuration trusts the machine's certificate authorities.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) {
		if config == nil {
			config = &tls.Config{MinVersion: tls.VersionTLS12}
		}
		s.tls = config
	}
}

// WithToken sends a bearer token with every call. It never leaves the machine in plain text.
func WithToken(token string) Option {
	return func(s *settings) { s.token = token }
}

// WithTimeout sets the deadline of calls whose context has none. By default it is 10 seconds, or 60
// for calls that may have to wait until the service has made its tables.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithDialOptions adds options of the connection, for example interceptors.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

// New returns a client of the service at target, such as "localhost:50051" or
// "dns:///dicepoker:50051". It connects on the first call.
func New(target string, options ...Option) (*Client, error) {
	var s settings
	for _, option := range options {
		option(&s)
	}
	transport := insecure.NewCredentials()
	if s.tls != nil {
		transport = credentials.NewTLS(s.tls)
	}
	dial := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithChainUnaryInterceptor(s.unary),
		grpc.WithChainStreamInterceptor(s.stream),
	}
	if s.token != "" {
		if s.tls == nil && !isLoopback(target) {
			return nil, fmt.Errorf("a token for %s would travel in plain text: use WithTLS", target)
		}
		dial = append(dial, grpc.WithPerRPCCredentials(bearer{s.token, s.tls != nil}))
	}
	connection, err := grpc.NewClient(target, append(dial, s.dial...)...)
	if err != nil {
		return nil, err
	}
	return &Client{pb.NewDicePokerServiceClient(connection), connection}, nil
}

// Close closes the connections.
func (c *Client) Close() error { return c.connection.Close() }

func (s *settings) unary(
	ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	if _, ok := ctx.Deadline(); !ok && s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	return toError(invoke(ctx, method, request, reply, connection, options...))
}

func (s *settings) stream(
	ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, description, connection, method, options...)
	return errorStream{stream}, toError(err)
}

// errorStream converts the errors of a stream.
type errorStream struct{ grpc.ClientStream }

func (s errorStream) RecvMsg(message any) error { return toError(s.ClientStream.RecvMsg(message)) }

// bearer is a token as the credentials of a call.
type bearer struct {
	token  string
	secure bool
}

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + b.token}, nil
}

func (b bearer) RequireTransportSecurity() bool { return b.secure }

func isLoopback(target string) bool {
	address := target[strings.LastIndex(target, "/")+1:]
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
