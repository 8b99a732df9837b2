// The failure of a call, in words and by field.
import { Code, ConnectError } from "@connectrpc/connect";

import { BadRequestSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb";
import { words } from "../i18n";

/** A field of a request that the service rejects. */
export interface Violation {
  /** Path of the field, as in `position.scorecards[0].entries[3].points`. */
  field: string;
  description: string;
}

/** A failed call. */
export interface Failure {
  /** The message, for people. */
  text: string;
  violations: Violation[];
  /** Whether the service requires a token. */
  wantsToken: boolean;
  /** Repeats what failed. */
  retry?: () => void;
}

/** Describes the failure of a call. */
export function failureOf(reason: unknown, retry?: () => void): Failure {
  if (reason instanceof Problem) {
    return { text: reason.message, violations: [], wantsToken: false };
  }
  const error = ConnectError.from(reason);
  const violations = error
    .findDetails(BadRequestSchema)
    .flatMap((detail) => detail.fieldViolations)
    .map(({ field, description }) => ({ field, description }));
  return {
    text: violations.length ? words.value.failures.refusedFields : text(error, reason),
    violations,
    wantsToken: error.code === Code.Unauthenticated,
    retry: repeatable(error.code) ? retry : undefined,
  };
}

/** An error of the page, with its message. */
export class Problem extends Error {}

function repeatable(code: Code): boolean {
  return code !== Code.InvalidArgument && code !== Code.Unimplemented && code !== Code.NotFound;
}

function text(error: ConnectError, reason: unknown): string {
  const { failures } = words.value;
  const detail = error.rawMessage;
  switch (error.code) {
    case Code.Unavailable:
      return failures.away;
    case Code.DeadlineExceeded:
      return failures.late;
    case Code.ResourceExhausted: {
      const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
      return failures.busy(detail, delay ? Math.max(1, Math.ceil(Number(delay.seconds) + delay.nanos / 1e9)) : undefined);
    }
    case Code.Unimplemented:
      return failures.older(detail);
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return failures.token;
    case Code.InvalidArgument:
    case Code.NotFound:
    case Code.FailedPrecondition:
    case Code.OutOfRange:
      return failures.refused(detail);
    case Code.Unknown:
    case Code.Internal:
      // What fetch throws where nothing answers, and what a proxy answers that knows no gRPC.
      return reason instanceof TypeError || error.cause instanceof TypeError || /fetch|HTTP|content/i.test(detail)
        ? failures.away
        : failures.other(detail);
    default:
      return failures.other(detail);
  }
}
