"""The error of a call."""

from __future__ import annotations

from dataclasses import dataclass

import grpc
from google.rpc import error_details_pb2, status_pb2


@dataclass(frozen=True)
class FieldViolation:
    """An invalid field of the request."""

    field: str
    """Its path as in JSON, such as `position.scorecards[0].entries[3].points`."""
    description: str
    """What is wrong and what is valid."""


class Error(Exception):
    """A call that failed."""

    code: grpc.StatusCode
    """The gRPC status code."""
    message: str
    """The message, for people."""
    reason: str | None
    """The stable reason, such as `INVALID_FIELDS`."""
    field_violations: list[FieldViolation]
    """Every invalid field of the request."""
    retry_after: float | None
    """The service's delay in seconds before the next attempt."""

    def __init__(self, failed: grpc.RpcError) -> None:
        self.code = failed.code()
        self.message = failed.details() or ""
        self.reason = None
        self.field_violations = []
        self.retry_after = None
        super().__init__(f"{self.code.name}: {self.message}")
        for key, value in failed.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                self._read(status_pb2.Status.FromString(value))

    def _read(self, status: status_pb2.Status) -> None:
        info, request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        retry = error_details_pb2.RetryInfo()
        for detail in status.details:
            if detail.Unpack(info):
                self.reason = info.reason
            elif detail.Unpack(request):
                self.field_violations = [
                    FieldViolation(one.field, one.description) for one in request.field_violations
                ]
            elif detail.Unpack(retry):
                self.retry_after = retry.retry_delay.ToTimedelta().total_seconds()
