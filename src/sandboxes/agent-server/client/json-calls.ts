import type { z } from 'zod';
import { MEBIBYTE } from '../../../kernel/common';
import { isTracing } from '../../../kernel/telemetry';
import {
  AgentServerBusyError,
  AgentServerResponseTooLargeError,
  AgentServerFailedError,
  AgentServerRefusedError,
  AgentServerUnavailableError,
} from './agent-server.errors';
import type { ResponseBudget } from './exchange/response-budget';
import { inCallSpan } from './call-span';
import { responseReason, parseJson } from './send-outcome';
import { Connections } from './exchange/connections';
import {
  RESPONSE_TOO_LARGE,
  exchange,
  type ExchangeResponse,
  ExchangeError,
  type ExchangeRequest,
} from './exchange/http-exchange';
import type { AgentServer } from './protocol';

/** The limit of a response that only confirms. */
const DEFAULT_RESPONSE_BYTES = MEBIBYTE;

/** The limit of descriptions of a conversation, with its agent and the cost of each call, and of the output of commands. */
export const DETAILED_RESPONSE_BYTES = 16 * MEBIBYTE;

const DEFAULT_TIMEOUT_MS = 30_000;

/** How long a call may take, and what ends it early (it closes the connection). */
export interface CallOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One call: its route and body. */
export interface JsonCall extends CallOptions {
  readonly method: ExchangeRequest['method'];
  /** With encoded segments, starting with `/`. */
  readonly path: string;
  /** Sent as it is. */
  readonly rawBody?: string | Buffer;
  /** Default: JSON. */
  readonly contentType?: string;
  /** More is not read. Default: 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Of the response's text; `latin1` keeps its bytes. Default: `utf8`. */
  readonly encoding?: ExchangeRequest['encoding'];
  readonly beforeWrite?: (() => void) | undefined;
}

/** JSON calls to agent servers over kept-alive connections. */
export class JsonCalls {
  private readonly connections: Connections;

  /** @param maxPerServer parallel calls to one agent server; further ones wait */
  constructor(
    maxPerServer: number,
    private readonly budget: ResponseBudget,
  ) {
    this.connections = new Connections(maxPerServer);
  }

  /**
   * @returns the response, whatever its status
   * @throws ExchangeError when none came
   */
  async send(target: AgentServer, call: JsonCall): Promise<ExchangeResponse> {
    const route = this.connections.route(target);
    const headers = [...route.headers, 'x-session-api-key', target.apiKey];
    if (call.rawBody !== undefined) headers.push('content-type', call.contentType ?? 'application/json');
    const request = {
      method: call.method,
      path: route.prefix + call.path,
      ...(call.rawBody === undefined ? {} : { body: call.rawBody }),
      timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxResponseBytes: call.maxResponseBytes ?? DEFAULT_RESPONSE_BYTES,
      ...(call.encoding !== undefined && { encoding: call.encoding }),
      budget: this.budget,
      server: target.baseUrl,
      signal: call.signal,
      beforeWrite: call.beforeWrite,
    };
    const response = await (isTracing()
      ? inCallSpan(call, target.baseUrl, (trace) =>
          exchange(route.pool, { ...request, headers: [...headers, ...trace] }),
        )
      : exchange(route.pool, { ...request, headers }));
    if (response.status >= 500) this.connections.retire(route);
    return response;
  }

  /**
   * @returns the response, whatever its status
   * @throws AgentServerUnavailableError when none came, AgentServerResponseTooLargeError
   */
  async call(target: AgentServer, call: JsonCall): Promise<ExchangeResponse> {
    try {
      return await this.send(target, call);
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (error.reason === RESPONSE_TOO_LARGE) throw new AgentServerResponseTooLargeError({ cause: error });
      throw new AgentServerUnavailableError(error.sent, error.reason, { cause: error });
    }
  }

  /** Closes all connections. */
  async destroy(): Promise<void> {
    await this.connections.destroy();
  }
}

/**
 * Reads the body of a 2xx response.
 * @throws AgentServerBusyError for 429
 * @throws AgentServerRefusedError for 3xx and any other 4xx
 * @throws AgentServerFailedError for 5xx, and for a body of another shape
 */
export function readResponse<Schema extends z.ZodType>(
  { status, text }: ExchangeResponse,
  schema: Schema,
  target: AgentServer,
): z.infer<Schema> {
  if (status >= 500) throw new AgentServerFailedError(status, responseReason(text, target.apiKey));
  if (status === 429) throw new AgentServerBusyError(responseReason(text, target.apiKey));
  if (status < 200 || status >= 300) {
    throw new AgentServerRefusedError(status, responseReason(text, target.apiKey));
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new AgentServerFailedError(status, `unexpected answer: ${places.join('; ').slice(0, 500)}`);
}
