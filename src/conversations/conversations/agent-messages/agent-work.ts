import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type AgentEvent,
  type AgentServer,
  AgentServerClient,
  type CallOptions,
} from '../../../sandboxes/agent-server';
import { AgentRuns } from './agent-runs';

/** Statuses of a run that is not over: one that waits for a confirmation goes on with the answer. */
const UNDER_WAY: ReadonlySet<string> = new Set(['running', 'waiting_for_confirmation']);

/** An agent server begins a run shortly after it has stored the message: how often that is looked for, and when. */
const LOOKS = 10;
const LOOK_AGAIN_MS = 200;

/** How much of the end of the log contains the latest message, or the status change after it. */
const LATEST = 10;

/** The agent of a conversation, at its agent server. */
interface AgentPlace {
  readonly server: AgentServer;
  readonly conversationId: string;
}

/** Finds out whether an agent works on the messages it got. */
@Injectable()
export class AgentWork {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly runs: AgentRuns,
  ) {}

  /**
   * Whether a run is under way, planned, or about to begin: a message that has just been stored is not run yet, and one
   * stored without a run never is.
   * @param options the signal ends the wait for a run that is about to begin
   * @throws AgentServerError
   */
  async isUnderWay(target: AgentPlace, { signal, ...options }: CallOptions): Promise<boolean> {
    for (let look = 1; ; look++) {
      if (await this.isWorking(target, options)) return true;
      if (look > LOOKS || !(await this.endsWithMessage(target, options))) return false;
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
    }
  }

  private async isWorking({ server, conversationId }: AgentPlace, options: CallOptions): Promise<boolean> {
    const info = await this.agentServers.getConversation(server, conversationId, options);
    return UNDER_WAY.has(info?.execution_status ?? '') || (await this.runs.isPlanned(conversationId));
  }

  /** Whether the log has a message after which the agent has not taken up any status. */
  private async endsWithMessage(
    { server, conversationId }: AgentPlace,
    options: CallOptions,
  ): Promise<boolean> {
    const query = { limit: LATEST, newestFirst: true };
    const { items } = await this.agentServers.events.search(server, conversationId, query, options);
    const latest = items.find((event) => isUserMessage(event) || isStatus(event));
    return latest !== undefined && isUserMessage(latest);
  }
}

function isUserMessage({ kind, source }: AgentEvent): boolean {
  return kind === 'MessageEvent' && source === 'user';
}

function isStatus(event: AgentEvent): boolean {
  return event.kind === 'ConversationStateUpdateEvent' && event['key'] === 'execution_status';
}
