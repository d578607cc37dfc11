import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type AgentServer,
  AgentServerClient,
  AgentServerError,
  AgentServerUnavailableError,
  type ConversationInfo,
  IDEMPOTENT_START,
} from '../../../../sandboxes/agent-server';
import type { RunningJob } from '../../../../kernel/jobs';

const CALL_MS = 60_000;
/** How often a conversation is looked for that an agent server may still be making, and for how long. */
const LOOK_AGAIN_MS = 1_000;
const LOOKS = 15;

/** A conversation to be made at an agent server. */
interface WantedConversation {
  readonly server: AgentServer;
  readonly id: string;
  /** The body of the call, which has the id in it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The call that makes a conversation at its agent server, and makes it once although its response may be lost. */
@Injectable()
export class StartCall {
  constructor(private readonly agentServers: AgentServerClient) {}

  /**
   * When the response is lost, the agent server may have made the conversation, or may still be making it. Where it
   * says that calls for one id may come at once, the call is repeated; elsewhere they would make two under one id, so
   * the conversation is only looked for, and a later run of the start repeats the call (docs/agent-servers.md).
   * @returns the conversation, and whether it is certainly new
   * @throws AgentServerError, LeaseLostError
   */
  async make(
    wanted: WantedConversation,
    job: RunningJob,
  ): Promise<{ created: boolean; info: ConversationInfo }> {
    try {
      return await this.call(wanted, job);
    } catch (error) {
      if (!(error instanceof AgentServerUnavailableError) || !error.mayHaveArrived) throw error;
      if (await this.mayBeRepeated(wanted.server, job.signal)) return this.call(wanted, job);
      const info = await this.lookFor(wanted, job.signal);
      if (info === null) throw error;
      return { created: false, info };
    }
  }

  /** Whether the agent server announces this capability. */
  private async mayBeRepeated(server: AgentServer, signal: AbortSignal): Promise<boolean> {
    try {
      const { capabilities } = await this.agentServers.probes.serverInfo(server, { signal });
      return capabilities.includes(IDEMPOTENT_START);
    } catch (error) {
      if (!(error instanceof AgentServerError)) throw error;
      return false;
    }
  }

  private async call({ server, body }: WantedConversation, { lease }: RunningJob) {
    lease.assertHeld();
    return this.agentServers.startConversation(server, body, { timeoutMs: CALL_MS });
  }

  private async lookFor(
    { server, id }: WantedConversation,
    signal: AbortSignal,
  ): Promise<ConversationInfo | null> {
    for (let look = 1; ; look++) {
      const info = await this.look(server, id, signal);
      if (info !== null || look === LOOKS) return info;
      await delay(LOOK_AGAIN_MS, undefined, { signal });
    }
  }

  /** A failed look-up proves nothing: repeating the start would be too early. */
  private async look(server: AgentServer, id: string, signal: AbortSignal): Promise<ConversationInfo | null> {
    try {
      return await this.agentServers.getConversation(server, id, { signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof AgentServerUnavailableError)) throw error;
      return null;
    }
  }
}
