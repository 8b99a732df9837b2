package dicepoker

import (
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// FieldViolation is an invalid field of the request.
type FieldViolation struct {
	// Field is its path as in JSON, such as position.scorecards[0].entries[3].points.
	Field string
	// Description states what is wrong and what is valid.
	Description string
}

// Error is the error of a call.
type Error struct {
	// Code is the gRPC status code.
	Code codes.Code
	// Message is for people.
	Message string
	// Reason is the stable reason, such as INVALID_FIELDS; empty if there is none.
	Reason string
	// FieldViolations are all invalid fields of the request.
	FieldViolations []FieldViolation
	// RetryAfter is the service's delay before the next attempt, or 0.
	RetryAfter time.Duration

	status *status.Status
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// GRPCStatus returns the status that the error was made from.
func (e *Error) GRPCStatus() *status.Status { return e.status }

func toError(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	failed := status.Convert(err)
	e := &Error{Code: failed.Code(), Message: failed.Message(), status: failed}
	for _, detail := range failed.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			e.Reason = detail.Reason
		case *errdetails.BadRequest:
			for _, one := range detail.FieldViolations {
				e.FieldViolations = append(e.FieldViolations, FieldViolation{one.Field, one.Description})
			}
		case *errdetails.RetryInfo:
			e.RetryAfter = detail.RetryDelay.AsDuration()
		}
	}
	return e
}
