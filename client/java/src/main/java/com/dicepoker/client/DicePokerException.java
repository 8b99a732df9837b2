package com.dicepoker.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A call that failed. */
public final class DicePokerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Status status;
  private final transient String reason;
  private final transient List<FieldViolation> fieldViolations;
  private final transient Duration retryAfter;

  /**
   * An invalid field of the request.
   *
   * @param field its path as in JSON, such as position.scorecards[0].entries[3].points
   * @param description what is wrong and what is valid
   */
  public record FieldViolation(String field, String description) {}

  private DicePokerException(StatusRuntimeException failed) {
    super(failed.getMessage(), failed);
    String reason = null;
    List<FieldViolation> violations = List.of();
    Duration delay = null;
    com.google.rpc.Status details = StatusProto.fromThrowable(failed);
    try {
      for (Any detail : details == null ? List.<Any>of() : details.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          reason = detail.unpack(ErrorInfo.class).getReason();
        } else if (detail.is(BadRequest.class)) {
          violations =
              detail.unpack(BadRequest.class).getFieldViolationsList().stream()
                  .map(one -> new FieldViolation(one.getField(), one.getDescription()))
                  .toList();
        } else if (detail.is(RetryInfo.class)) {
          com.google.protobuf.Duration retry = detail.unpack(RetryInfo.class).getRetryDelay();
          delay = Duration.ofSeconds(retry.getSeconds(), retry.getNanos());
        }
      }
    } catch (InvalidProtocolBufferException malformed) {
      addSuppressed(malformed);
    }
    this.status = failed.getStatus();
    this.reason = reason;
    this.fieldViolations = violations;
    this.retryAfter = delay;
  }

  /** The gRPC status code. */
  public Status.Code code() {
    return status.getCode();
  }

  /** The stable reason, such as INVALID_FIELDS. */
  public Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  /** Every invalid field of the request. */
  public List<FieldViolation> fieldViolations() {
    return fieldViolations;
  }

  /** The service's delay before the next attempt. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  static <T> T unary(Supplier<T> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException failed) {
      throw new DicePokerException(failed);
    }
  }

  static <T> Iterator<T> stream(Supplier<Iterator<T>> call) {
    Iterator<T> messages = unary(call);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return unary(messages::hasNext);
      }

      @Override
      public T next() {
        return unary(messages::next);
      }
    };
  }
}
