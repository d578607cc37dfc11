import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ResponseBudget } from './exchange/response-budget';
import {
  type AgentServer,
  type ConversationInfo,
  conversationInfoSchema,
  conversationPath,
  successSchema,
} from './protocol';
import { EventCalls } from './calls/event-calls';
import { ExchangeError } from './exchange/http-exchange';
import { ModelCalls } from './calls/model-calls';
import {
  type CallOptions,
  DETAILED_RESPONSE_BYTES,
  type JsonCall,
  JsonCalls,
  readResponse,
} from './json-calls';
import { ProbeCalls } from './calls/probe-calls';
import { outcomeOfFailure, outcomeOfResponse, type SendOutcome } from './send-outcome';
import { WorkspaceCalls } from './calls/workspace-calls';

/** Enough for sends that wait while tools run, in all sandboxes of a server; who calls bounds those of each. */
const MAX_CALLS = 1024;

/** How a caller of `sendMessage` keeps control of the request. */
export interface SendControl {
  readonly signal?: AbortSignal | undefined;
  /** Called right before the first byte is written; when it throws, nothing is, and the outcome is `unavailable`. */
  readonly beforeWrite?: () => void;
}

/**
 * Speaks the agent server's protocol, for all agent servers there are: which one is an argument of each call.
 * Every method but `sendMessage` throws AgentServerUnavailableError when no response
 * came, AgentServerBusyError for a 429, AgentServerRefusedError for another 4xx and AgentServerFailedError for a 5xx or an unreadable response.
 */
@Injectable()
export class AgentServerClient implements OnApplicationShutdown {
  /** The memory that responses being read take up. */
  readonly budget = new ResponseBudget();
  private readonly calls = new JsonCalls(MAX_CALLS, this.budget);

  /** The logs of conversations. */
  readonly events = new EventCalls(this.calls);
  /** Calls to the sandbox that concern no conversation. */
  readonly workspace = new WorkspaceCalls(this.calls);
  /** The models that it can call. */
  readonly models = new ModelCalls(this.calls);
  /** Health and identity of the server. */
  readonly probes = new ProbeCalls(this.budget);

  /**
   * Starts a conversation. With a `conversation_id` that exists the agent server ignores the body and answers
   * what it has: `created` is false then.
   */
  async startConversation(
    target: AgentServer,
    body: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<{ created: boolean; info: ConversationInfo }> {
    const response = await this.calls.call(target, {
      method: 'POST',
      path: '/api/conversations',
      rawBody: JSON.stringify(body),
      maxResponseBytes: DETAILED_RESPONSE_BYTES,
      ...options,
    });
    return { created: response.status === 201, info: readResponse(response, conversationInfoSchema, target) };
  }

  /** @returns null when the agent server has no such conversation */
  async getConversation(
    target: AgentServer,
    conversationId: string,
    options: CallOptions = {},
  ): Promise<ConversationInfo | null> {
    const path = conversationPath(conversationId);
    const maxResponseBytes = DETAILED_RESPONSE_BYTES;
    const response = await this.calls.call(target, { method: 'GET', path, maxResponseBytes, ...options });
    return response.status === 404 ? null : readResponse(response, conversationInfoSchema, target);
  }

  /** Sets title or tags; tags replace all that were there. @returns false for an unknown conversation */
  async patchConversation(
    target: AgentServer,
    conversationId: string,
    changes: { readonly title?: string; readonly tags?: Readonly<Record<string, string>> },
    options: CallOptions = {},
  ): Promise<boolean> {
    const response = await this.calls.call(target, {
      method: 'PATCH',
      path: conversationPath(conversationId),
      rawBody: JSON.stringify(changes),
      ...options,
    });
    return response.status === 404 ? false : readResponse(response, successSchema, target).success;
  }

  /** Waits for a running tool: interrupt first. @returns false when there was no such conversation */
  async deleteConversation(
    target: AgentServer,
    conversationId: string,
    options: CallOptions = {},
  ): Promise<boolean> {
    const path = conversationPath(conversationId);
    const response = await this.calls.call(target, { method: 'DELETE', path, ...options });
    return isUnknownConversation(response.status)
      ? false
      : readResponse(response, successSchema, target).success;
  }

  /** Starts a run of the agent. */
  async run(
    target: AgentServer,
    conversationId: string,
    options: CallOptions = {},
  ): Promise<'started' | 'already_running' | 'not_found'> {
    const response = await this.post(target, conversationId, '/run', undefined, options);
    if (response.status === 404) return 'not_found';
    if (response.status === 409) return 'already_running';
    readResponse(response, successSchema, target);
    return 'started';
  }

  /**
   * Stops the agent before its next step; it answers only when the tool that is running has ended.
   * @returns false for an unknown conversation
   */
  async pause(target: AgentServer, conversationId: string, options: CallOptions = {}): Promise<boolean> {
    const response = await this.post(target, conversationId, '/pause', undefined, options);
    return isUnknownConversation(response.status)
      ? false
      : readResponse(response, successSchema, target).success;
  }

  /** Stops the agent at once, in the middle of a tool too. @returns false for an unknown conversation */
  async interrupt(target: AgentServer, conversationId: string, options: CallOptions = {}): Promise<boolean> {
    const response = await this.post(target, conversationId, '/interrupt', undefined, options);
    return isUnknownConversation(response.status)
      ? false
      : readResponse(response, successSchema, target).success;
  }

  /** Hands over secrets, by name. @returns false for an unknown conversation */
  async setSecrets(
    target: AgentServer,
    conversationId: string,
    secrets: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<boolean> {
    const response = await this.post(
      target,
      conversationId,
      '/secrets',
      JSON.stringify({ secrets }),
      options,
    );
    return response.status === 404 ? false : readResponse(response, successSchema, target).success;
  }

  /**
   * Forwards the call of a client.
   * @returns its response, whatever the status, byte by byte
   */
  async relay(
    target: AgentServer,
    call: Pick<JsonCall, 'method' | 'path' | 'rawBody' | 'timeoutMs' | 'signal'>,
  ): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const { status, text } = await this.calls.call(target, {
      ...call,
      maxResponseBytes: DETAILED_RESPONSE_BYTES,
      encoding: 'latin1',
    });
    return { status, bytes: Buffer.from(text, 'latin1') };
  }

  /** Switches a conversation to another model, which has its own usage id. */
  async switchLlm(
    target: AgentServer,
    conversationId: string,
    llm: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<void> {
    const body = JSON.stringify({ llm });
    readResponse(
      await this.post(target, conversationId, '/switch_llm', body, options),
      successSchema,
      target,
    );
  }

  /** Switches an agent that brings its own models to another one of them. */
  async switchAcpModel(
    target: AgentServer,
    conversationId: string,
    model: string,
    options: CallOptions = {},
  ): Promise<void> {
    const body = JSON.stringify({ model });
    readResponse(
      await this.post(target, conversationId, '/switch_acp_model', body, options),
      successSchema,
      target,
    );
  }

  /**
   * Sends a message to a conversation: the hot path, so the body is JSON text that goes out as it is
   * (`{role, content, run}`). While a tool runs the agent server answers only after it, and stores the
   * message then even if the caller has gone. Never throws for what the other side or the network does.
   */
  async sendMessage(
    target: AgentServer,
    conversationId: string,
    rawBody: string,
    timeoutMs: number,
    { signal, beforeWrite }: SendControl = {},
  ): Promise<SendOutcome> {
    const path = `${conversationPath(conversationId)}/events`;
    try {
      const response = await this.calls.send(target, {
        method: 'POST',
        path,
        rawBody,
        timeoutMs,
        signal,
        beforeWrite,
      });
      return outcomeOfResponse(response, target.apiKey);
    } catch (error) {
      if (error instanceof ExchangeError) return outcomeOfFailure(error);
      throw error;
    }
  }

  /** Closes the connections when the service ends. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.calls.destroy(), this.probes.destroy()]);
  }

  private post(
    target: AgentServer,
    id: string,
    route: string,
    rawBody: string | undefined,
    options: CallOptions,
  ) {
    const path = conversationPath(id) + route;
    return this.calls.call(target, {
      method: 'POST',
      path,
      ...(rawBody === undefined ? {} : { rawBody }),
      ...options,
    });
  }
}

/** Some routes answer 400 to an unknown conversation. */
function isUnknownConversation(status: number): boolean {
  return status === 404 || status === 400;
}
