"""Connections, and the calls that the generated clients make on them."""

from __future__ import annotations

import ipaddress
from importlib import resources
from typing import Any, TypeVar, Union

import grpc

from ._errors import Error

Q = TypeVar("Q")
C = TypeVar("C", bound="Connection")
A = TypeVar("A", bound="AsyncConnection")

Credentials = Union[grpc.ChannelCredentials, bool, None]
"""`None` for plain text, `True` for the machine's certificate authorities, or credentials."""


def options() -> list[tuple[str, Any]]:
    """Deadlines, retries and health-aware balancing, from the service config."""
    config = resources.files(__package__).joinpath("service-config.json").read_text()
    return [("grpc.service_config", config), ("grpc.enable_retries", 1)]


def credentials(tls: Credentials) -> grpc.ChannelCredentials | None:
    return grpc.ssl_channel_credentials() if tls is True else tls or None


def metadata(target: str, tls: Credentials, token: str | None) -> list[tuple[str, str]]:
    """The metadata of every call. A token never leaves the machine in plain text."""
    if token is None:
        return []
    if not tls and not _is_loopback(target):
        raise ValueError(f"a token for {target} would travel in plain text: pass tls=True")
    return [("authorization", f"Bearer {token}")]


def _is_loopback(target: str) -> bool:
    host = target.rpartition("/")[2].rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Settings:
    """What every call of a client shares."""

    def __init__(self, target: str, tls: Credentials, token: str | None, timeout: float | None):
        self._metadata = metadata(target, tls, token)
        self._timeout = timeout

    def _message(self, kind: type[Q], request: Q | None, fields: dict[str, Any]) -> Q:
        return kind(**fields) if request is None else request

    def _arguments(self, timeout: float | None) -> dict[str, Any]:
        return {"timeout": timeout or self._timeout, "metadata": self._metadata}


class Connection(_Settings):
    """Connections and blocking calls."""

    def __init__(
        self,
        target: str,
        *,
        tls: Credentials = None,
        token: str | None = None,
        timeout: float | None = None,
    ) -> None:
        super().__init__(target, tls, token, timeout)
        secrets = credentials(tls)
        if secrets is None:
            self._channel = grpc.insecure_channel(target, options=options())
        else:
            self._channel = grpc.secure_channel(target, secrets, options=options())

    def close(self) -> None:
        """Closes the connections."""
        self._channel.close()

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _unary(self, method, kind, answer, request, fields, timeout):
        call = self._channel.unary_unary(
            method, request_serializer=kind.SerializeToString, response_deserializer=answer.FromString
        )
        try:
            return call(self._message(kind, request, fields), **self._arguments(timeout))
        except grpc.RpcError as failed:
            raise Error(failed) from None

    def _stream(self, method, kind, answer, request, fields, timeout):
        call = self._channel.unary_stream(
            method, request_serializer=kind.SerializeToString, response_deserializer=answer.FromString
        )
        try:
            yield from call(self._message(kind, request, fields), **self._arguments(timeout))
        except grpc.RpcError as failed:
            raise Error(failed) from None


class AsyncConnection(_Settings):
    """Connections and calls for asyncio."""

    def __init__(
        self,
        target: str,
        *,
        tls: Credentials = None,
        token: str | None = None,
        timeout: float | None = None,
    ) -> None:
        super().__init__(target, tls, token, timeout)
        secrets = credentials(tls)
        if secrets is None:
            self._channel = grpc.aio.insecure_channel(target, options=options())
        else:
            self._channel = grpc.aio.secure_channel(target, secrets, options=options())

    async def close(self) -> None:
        """Closes the connections."""
        await self._channel.close()

    async def __aenter__(self: A) -> A:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _unary(self, method, kind, answer, request, fields, timeout):
        call = self._channel.unary_unary(
            method, request_serializer=kind.SerializeToString, response_deserializer=answer.FromString
        )
        try:
            return await call(self._message(kind, request, fields), **self._arguments(timeout))
        except grpc.aio.AioRpcError as failed:
            raise Error(failed) from None

    async def _stream(self, method, kind, answer, request, fields, timeout):
        call = self._channel.unary_stream(
            method, request_serializer=kind.SerializeToString, response_deserializer=answer.FromString
        )
        try:
            async for message in call(
                self._message(kind, request, fields), **self._arguments(timeout)
            ):
                yield message
        except grpc.aio.AioRpcError as failed:
            raise Error(failed) from None
