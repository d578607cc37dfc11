import { Injectable } from '@nestjs/common';
import {
  type AgentServer,
  AgentServerClient,
  type SendControl,
  type SendOutcome,
} from '../../../sandboxes/agent-server';
import { AgentRuns } from './agent-runs';

/** The target of a message: a conversation at the agent server of its sandbox. */
interface MessageTarget {
  readonly server: AgentServer;
  readonly conversationId: string;
  readonly sandboxId: string;
}

/** The outcome of a message, for which the agent runs now or later. */
export type MessageOutcome = Exclude<SendOutcome, { kind: 'stored' }>;

/** Hands messages to agent servers. */
@Injectable()
export class AgentMessages {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly runs: AgentRuns,
  ) {}

  /**
   * As AgentServerClient.sendMessage; a message that was stored while the server ran as many agents as it may is
   * `delivered`, and its agent runs as soon as it may.
   */
  async send(
    { server, conversationId, sandboxId }: MessageTarget,
    rawBody: string,
    timeoutMs: number,
    control: SendControl = {},
  ): Promise<MessageOutcome> {
    const outcome = await this.agentServers.sendMessage(server, conversationId, rawBody, timeoutMs, control);
    if (outcome.kind !== 'stored') return outcome;
    await this.runs.later(server, { conversationId, sandboxId });
    return { kind: 'delivered' };
  }
}
