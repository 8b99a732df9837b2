// The typed client of the service at the page's origin, over gRPC-Web.
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { signal } from "@preact/signals";

import { stored, storeAs } from "../storage";
import { DicePokerService } from "./contract";

/** The deadline of a call. */
const TIMEOUT_MS = 60_000;

/** The time after which a call counts as slow. */
const SLOW_MS = 1_500;

/** Pauses between attempts of a call without a stream that reached no server: the service is stateless. */
const PAUSES_MS = [150, 600];

/** Whether some call has been waiting for long. */
export const slow = signal(false);

const TOKEN = "dicepoker.token";

/** The token of calls, where the service requires one; it stays in this tab. */
export const token = signal(stored(TOKEN, "sessionStorage") ?? "");
token.subscribe((value) => storeAs(TOKEN, value, "sessionStorage"));

let waiting = 0;

const patience: Interceptor = (next) => async (request) => {
  if (token.value) request.header.set("authorization", `Bearer ${token.value}`);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    slow.value = ++waiting > 0;
  }, SLOW_MS);
  try {
    for (const pause of PAUSES_MS) {
      try {
        return await next(request);
      } catch (reason) {
        // The message of a call with a stream can be read only once.
        if (request.stream || !isUnreachable(reason)) throw reason;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return await next(request);
  } finally {
    clearTimeout(timer);
    if (late) slow.value = --waiting > 0;
  }
};

function isUnreachable(reason: unknown): boolean {
  const { code } = ConnectError.from(reason);
  return code === Code.Unavailable || reason instanceof TypeError;
}

const transport = createGrpcWebTransport({
  baseUrl: new URL(".", location.href).href.replace(/\/$/, ""),
  interceptors: [patience],
  defaultTimeoutMs: TIMEOUT_MS,
});

/** The service. */
export const service = createClient(DicePokerService, transport);
