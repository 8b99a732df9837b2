// What the clients for Node and for browsers share.

import { Code, createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { DicepokerError } from "./error.js";
import { DicePokerService } from "./gen/dicepoker/v1/dice_poker_service_pb.js";
import { SERVICE_CONFIG } from "./service-config.js";

export { Code } from "@connectrpc/connect";
export { DicepokerError, type FieldViolation } from "./error.js";

/** The calls of the service, and what closes its connections. */
export type DicepokerClient = Client<typeof DicePokerService> & { close(): void };

/** The settings of a client. */
export interface Options {
  /** The bearer token of every call. It never leaves the machine in plain text. */
  token?: string;
  /** The deadline of a call in milliseconds: by default that of the service config. */
  timeoutMs?: number;
}

/** The client over a transport. */
export function clientOver(transport: Transport, close: () => void = () => {}): DicepokerClient {
  return Object.assign(createClient(DicePokerService, transport), { close });
}

/** Adds the token to every call and converts its errors. */
export function metadata(url: string, { token }: Options, encrypted: boolean): Interceptor {
  if (token !== undefined && !encrypted && !isLoopback(url)) {
    throw new Error(`a token for ${url} would travel in plain text: use https`);
  }
  return (next) => async (request) => {
    if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
    try {
      return await next(request);
    } catch (failed) {
      throw DicepokerError.from(failed);
    }
  };
}

function isLoopback(url: string): boolean {
  const host = url.replace(/^[a-z]+:\/*/, "").replace(/:\d+\/?$/, "");
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** The deadline of a method in milliseconds, by the service config. */
export function deadline(method: string): number {
  const found = SERVICE_CONFIG.methodConfig
    .filter((config) => config.name.some((name) => !("method" in name) || name.method === method))
    .at(-1);
  return Number.parseFloat(found?.timeout ?? "10s") * 1000;
}

/** Retries calls by the service config's policy, for transports that do not know it. */
export const retries: Interceptor = (next) => async (request) => {
  const { maxAttempts, initialBackoff, maxBackoff, backoffMultiplier } =
    SERVICE_CONFIG.methodConfig[0]!.retryPolicy;
  let backoff = Number.parseFloat(initialBackoff) * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await next(request);
    } catch (failed) {
      const error = DicepokerError.from(failed);
      const retryable =
        error.retryAfterMs !== undefined || (error.code === Code.Unavailable && !error.forbidsRetry);
      if (attempt >= maxAttempts || !retryable || request.signal.aborted) throw error;
      const pause = error.retryAfterMs ?? backoff * (0.5 + Math.random());
      backoff = Math.min(backoff * backoffMultiplier, Number.parseFloat(maxBackoff) * 1000);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
};
