// The error of a call.

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

/** An invalid field of the request. */
export interface FieldViolation {
  /** Its path as in JSON, such as `position.scorecards[0].entries[3].points`. */
  field: string;
  /** What is wrong and what is valid. */
  description: string;
}

/** A call that failed. Its `code` is the gRPC status code. */
export class DicepokerError extends ConnectError {
  /** The stable reason, such as `INVALID_FIELDS`. */
  readonly reason?: string;
  /** Every invalid field of the request. */
  readonly fieldViolations: FieldViolation[];
  /** The service's delay before the next attempt. */
  readonly retryAfterMs?: number;
  /** Whether the service forbids a retry. */
  readonly forbidsRetry: boolean;

  /** gRPC's name of the code, such as `INVALID_ARGUMENT`. */
  get codeName(): string {
    return Code[this.code].replace(/(?!^)[A-Z]/g, "_$&").toUpperCase();
  }

  private constructor(failed: ConnectError) {
    super(failed.rawMessage, failed.code, failed.metadata, undefined, failed.cause);
    // The name by which Connect recognises its errors and passes them on.
    this.name = "ConnectError";
    this.details = failed.details;
    this.reason = failed.findDetails(ErrorInfoSchema)[0]?.reason;
    this.fieldViolations = failed
      .findDetails(BadRequestSchema)
      .flatMap((request) => request.fieldViolations)
      .map(({ field, description }) => ({ field, description }));
    const delay = failed.findDetails(RetryInfoSchema)[0]?.retryDelay;
    if (delay) this.retryAfterMs = Number(delay.seconds) * 1000 + delay.nanos / 1e6;
    this.forbidsRetry = Number(failed.metadata.get("grpc-retry-pushback-ms") ?? 0) < 0;
  }

  // ConnectError recognises instances by their fields, which would include errors of other clients.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && "fieldViolations" in value;
  }

  static override from(failed: unknown): DicepokerError {
    if (failed instanceof DicepokerError) return failed;
    return new DicepokerError(ConnectError.from(failed));
  }
}
