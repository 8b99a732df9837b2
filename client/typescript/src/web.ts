// The client for browsers: gRPC-Web over fetch.

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import type { Interceptor } from "@connectrpc/connect";
import { clientOver, deadline, metadata, retries, type DicepokerClient, type Options } from "./client.js";

export * from "./client.js";

/** A client of the service at `url`, such as `https://play.example`. */
export function connect(url: string, options: Options = {}): DicepokerClient {
  const baseUrl = url.includes("://") ? url : `http://${url}`;
  const encrypted = baseUrl.startsWith("https:");
  return clientOver(
    createGrpcWebTransport({
      baseUrl,
      useBinaryFormat: true,
      interceptors: [metadata(baseUrl, options, encrypted), retries, timeout(options)],
    }),
  );
}

/** Ends calls at their deadline; a call's own `timeoutMs` is for the transport. */
function timeout(options: Options): Interceptor {
  return (next) => (request) => {
    if (!request.header.has("grpc-timeout")) {
      const milliseconds = options.timeoutMs ?? deadline(request.method.name);
      request.header.set("grpc-timeout", `${Math.ceil(milliseconds)}m`);
    }
    return next(request);
  };
}
