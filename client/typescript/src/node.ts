// The client for Node: gRPC over @grpc/grpc-js.

import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextValues,
  type ContextValues,
  type Interceptor,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from "@connectrpc/connect";
import { runStreamingCall, runUnaryCall } from "@connectrpc/connect/protocol";
import * as grpc from "@grpc/grpc-js";
import { clientOver, DicepokerError, metadata, type DicepokerClient, type Options } from "./client.js";
import { StatusSchema } from "./gen/google/rpc/status_pb.js";
import { SERVICE_CONFIG } from "./service-config.js";

export * from "./client.js";

/** The settings of a client for Node. */
export interface NodeOptions extends Options {
  /** Encrypts connections. By default `https:` does, and trusts the machine's certificate authorities. */
  credentials?: grpc.ChannelCredentials;
}

/**
 * A client of the service at `url`: `http://host:port`, `host:port`, `https://host:port`, or
 * `dns:///name:port` for all addresses of a name.
 */
export function connect(url: string, options: NodeOptions = {}): DicepokerClient {
  const encrypted = options.credentials !== undefined || url.startsWith("https:");
  const credentials =
    options.credentials ??
    (encrypted ? grpc.credentials.createSsl() : grpc.credentials.createInsecure());
  const target = url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  const channel = new grpc.Client(target, credentials, {
    "grpc.service_config": JSON.stringify(SERVICE_CONFIG),
    "grpc.enable_retries": 1,
  });
  const transport = new GrpcTransport(channel, options.timeoutMs, [metadata(url, options, encrypted)]);
  return clientOver(transport, () => channel.close());
}

/** Connect's transport over a channel of grpc-js. */
class GrpcTransport implements Transport {
  constructor(
    private readonly channel: grpc.Client,
    private readonly timeoutMs: number | undefined,
    private readonly interceptors: Interceptor[],
  ) {}

  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    message: MessageInitShape<I>,
    contextValues?: ContextValues,
  ): Promise<UnaryResponse<I, O>> {
    return runUnaryCall<I, O>({
      req: { stream: false, ...common(method, header, contextValues), method, message },
      signal,
      interceptors: this.interceptors,
      next: (request) =>
        new Promise((resolve, reject) => {
          const response = { header: new Headers(), trailer: new Headers() };
          const call = this.channel.makeUnaryRequest(
            path(method),
            (input: Uint8Array) => Buffer.from(input),
            (output: Buffer) => output,
            toBinary(method.input, request.message),
            toMetadata(request.header),
            this.callOptions(timeoutMs),
            (failed, output) => {
              if (failed) return reject(toError(failed));
              const message = fromBinary(method.output, output!);
              resolve({ stream: false, service: method.parent, method, message, ...response });
            },
          );
          request.signal.addEventListener("abort", () => call.cancel());
        }),
    });
  }

  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    message: AsyncIterable<MessageInitShape<I>>,
    contextValues?: ContextValues,
  ): Promise<StreamResponse<I, O>> {
    return runStreamingCall<I, O>({
      req: { stream: true, ...common(method, header, contextValues), method, message },
      signal,
      interceptors: this.interceptors,
      next: async (request) => {
        // The contract's streams are server streams: one request.
        const { value } = await request.message[Symbol.asyncIterator]().next();
        const input = value ?? create(method.input);
        const call = this.channel.makeServerStreamRequest(
          path(method),
          (input: Uint8Array) => Buffer.from(input),
          (output: Buffer) => output,
          toBinary(method.input, input),
          toMetadata(request.header),
          this.callOptions(timeoutMs),
        );
        request.signal.addEventListener("abort", () => call.cancel());
        return {
          stream: true,
          service: method.parent,
          method,
          header: new Headers(),
          trailer: new Headers(),
          message: messages(call, method.output),
        };
      },
    });
  }

  /** Without a timeout the deadline is that of the service config. */
  private callOptions(timeoutMs: number | undefined): grpc.CallOptions {
    const milliseconds = timeoutMs ?? this.timeoutMs;
    return milliseconds === undefined ? {} : { deadline: Date.now() + milliseconds };
  }
}

function common(
  method: DescMethod,
  header: HeadersInit | undefined,
  contextValues: ContextValues | undefined,
) {
  return {
    service: method.parent,
    requestMethod: "POST",
    url: path(method),
    header: new Headers(header),
    contextValues: contextValues ?? createContextValues(),
  };
}

function path(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

async function* messages<O extends DescMessage>(call: grpc.ClientReadableStream<Buffer>, output: O) {
  try {
    for await (const message of call) yield fromBinary(output, message as Buffer);
  } catch (failed) {
    throw DicepokerError.from(toError(failed as grpc.ServiceError));
  }
}

function toMetadata(headers: Headers): grpc.Metadata {
  const metadata = new grpc.Metadata();
  headers.forEach((value, key) => metadata.set(key, value));
  return metadata;
}

function toError(failed: grpc.ServiceError): ConnectError {
  const headers = new Headers();
  const pushback = failed.metadata?.get("grpc-retry-pushback-ms")[0];
  if (pushback !== undefined) headers.set("grpc-retry-pushback-ms", String(pushback));
  // The numbers of gRPC's and Connect's codes are the same.
  const error = new ConnectError(failed.details, failed.code as number as Code, headers);
  const details = failed.metadata?.get("grpc-status-details-bin")[0];
  if (details instanceof Buffer) {
    error.details = fromBinary(StatusSchema, details).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
  }
  return error;
}
