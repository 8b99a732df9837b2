#!/usr/bin/env python3
"""Writes the methods of the Python and Java clients from the contract's descriptors.

  methods.py DESCRIPTORS python|aio|java

DESCRIPTORS is a FileDescriptorSet with source information. Needs the Python package protobuf.
"""

import re
import sys

from google.protobuf import descriptor_pb2

SERVICE = 6  # field number of FileDescriptorProto.service
METHOD = 2  # field number of ServiceDescriptorProto.method

PYTHON = '''"""The {what}. Generated from the contract."""

from __future__ import annotations

from collections.abc import {iterators}
from typing import Any

from ._connection import {base}
from .v1 import dice_poker_service_pb2 as pb


class Client({base}):
    """A client of the service at `target`, such as `localhost:50051` or `dns:///dicepoker:50051`.

    `tls` is None for plain text, True for the machine's certificate authorities, or
    `grpc.ChannelCredentials`; `token` is a bearer token. `timeout` is the deadline of a call in
    seconds: by default 10, or 60 for calls that may wait until the service has made its tables.
    Methods take a request message, or its fields as keywords. A failed call raises `dicepoker.Error`.
    """
'''

PYTHON_METHOD = '''
    {define} {name}(
        self, request: pb.{request} | None = None, /, *, timeout: float | None = None, **fields: Any
    ) -> {returns}:
        """{comment}"""
        return {call}(
            "{path}", pb.{request}, pb.{response}, request, fields, timeout
        )
'''

JAVA = '''package com.dicepoker.client;

import com.dicepoker.v1.*;
import java.util.Iterator;

/** The calls of the service. Generated from the contract. */
abstract class Methods {
  abstract DicePokerServiceGrpc.DicePokerServiceBlockingStub stub(long seconds);
'''

JAVA_METHOD = '''
  /**
   * {comment}
   *
   * @throws DicePokerException if the call fails
   */
  public {returns} {name}({request} request) {{
    return DicePokerException.{wrap}(() -> stub({seconds}).{name}(request));
  }}
'''

# The methods that the service config gives a longer deadline.
SLOW = {"Suggest", "BatchSuggest", "PlayTurn", "Review", "Simulate", "Analyze"}


def service(descriptors):
    files = descriptor_pb2.FileDescriptorSet()
    with open(descriptors, "rb") as file:
        files.ParseFromString(file.read())
    file = next(file for file in files.file if file.service)
    comments = {
        tuple(location.path): " ".join(location.leading_comments.split())
        for location in file.source_code_info.location
    }
    service = file.service[0]
    path = f"/{file.package}.{service.name}"
    for index, method in enumerate(service.method):
        yield method, f"{path}/{method.name}", comments.get((SERVICE, 0, METHOD, index), "")


def type_name(name):
    return name.rpartition(".")[2]


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def python(methods, asynchronous):
    yield PYTHON.format(
        what="client for asyncio" if asynchronous else "client",
        iterators="AsyncIterator" if asynchronous else "Iterator",
        base="AsyncConnection" if asynchronous else "Connection",
    )
    for method, path, comment in methods:
        response = f"pb.{type_name(method.output_type)}"
        stream = method.server_streaming
        iterator = "AsyncIterator" if asynchronous else "Iterator"
        waits = asynchronous and not stream
        yield PYTHON_METHOD.format(
            define="async def" if waits else "def",
            name=snake(method.name),
            request=type_name(method.input_type),
            response=type_name(method.output_type),
            returns=f"{iterator}[{response}]" if stream else response,
            comment=comment,
            call=("await " if waits else "") + ("self._stream" if stream else "self._unary"),
            path=path,
        )


def java(methods):
    yield JAVA
    for method, _, comment in methods:
        response = type_name(method.output_type)
        stream = method.server_streaming
        yield JAVA_METHOD.format(
            comment=comment,
            returns=f"Iterator<{response}>" if stream else response,
            name=method.name[0].lower() + method.name[1:],
            request=type_name(method.input_type),
            wrap="stream" if stream else "unary",
            seconds=60 if method.name in SLOW else 10,
        )
    yield "}\n"


def main():
    descriptors, form = sys.argv[1:]
    methods = list(service(descriptors))
    text = java(methods) if form == "java" else python(methods, form == "aio")
    sys.stdout.write("".join(text))


if __name__ == "__main__":
    main()
