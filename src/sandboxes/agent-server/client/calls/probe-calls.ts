import { type AgentServer, conversationPath, type ServerInfo, serverInfoSchema } from '../protocol';
import type { ResponseBudget } from '../exchange/response-budget';
import { type CallOptions, JsonCalls, readResponse } from '../json-calls';

/** A live agent server can be silent for seconds while it logs an error. */
const TIMEOUT_MS = 5_000;

/** Probes have connections of their own: calls that hang must not make a server look dead. */
const MAX_PROBES = 8;

/** An id that no conversation has. */
const NO_CONVERSATION = '00000000-0000-0000-0000-000000000000';

/** Probes agent servers. */
export class ProbeCalls {
  private readonly calls: JsonCalls;

  constructor(budget: ResponseBudget) {
    this.calls = new JsonCalls(MAX_PROBES, budget);
  }

  /** Whether the agent server answers its health check. Never throws. */
  async health(target: AgentServer, options: CallOptions = {}): Promise<boolean> {
    const status = await this.status(target, '/health', options);
    return status !== null && status >= 200 && status < 300;
  }

  /** Whether the agent server takes the key of a target. Never throws; one that does not answer takes none. */
  async acceptsKey(target: AgentServer, options: CallOptions = {}): Promise<boolean> {
    const status = await this.status(target, conversationPath(NO_CONVERSATION), options);
    return status !== null && status < 500 && status !== 401 && status !== 403;
  }

  /**
   * The agent server's own description: title, version, seconds since its last work.
   * @throws the errors of AgentServerClient
   */
  async serverInfo(target: AgentServer, options: CallOptions = {}): Promise<ServerInfo> {
    const response = await this.calls.call(target, { method: 'GET', path: '/server_info', ...options });
    return readResponse(response, serverInfoSchema, target);
  }

  /** Closes the connections. */
  destroy(): Promise<void> {
    return this.calls.destroy();
  }

  /** @returns the status of the response, or null when none came */
  private async status(target: AgentServer, path: string, options: CallOptions): Promise<number | null> {
    try {
      const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
      const { status } = await this.calls.send(target, { method: 'GET', path, ...options, timeoutMs });
      return status;
    } catch {
      return null;
    }
  }
}
