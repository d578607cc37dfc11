import { Injectable } from '@nestjs/common';
import {
  type AgentServer,
  AgentServerClient,
  AgentServerError,
  AgentServerRefusedError,
} from '../../agent-server';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { SandboxConversations } from '../record/sandbox-conversations';
import { SandboxKeys } from '../record/sandbox-keys';
import type { Sandbox } from '../record/sandbox.entity';

/** For one probe, or one call that is not the work itself: a server that hangs keeps no sandbox from being paused. */
const CALL_MS = 2_000;
const ALL_CALLS_MS = 5_000;

type Located = Pick<Sandbox, 'driver' | 'baseUrl' | 'listenerUid'>;
type Addressed = Located & Pick<Sandbox, 'id' | 'sealedSessionKey'>;

/** Calls the agent servers of sandboxes. */
@Injectable()
export class AgentServers {
  /** Probes under way, by question and server. */
  private readonly probes = new Map<string, Promise<boolean>>();

  constructor(
    private readonly drivers: SandboxDrivers,
    private readonly client: AgentServerClient,
    private readonly keys: SandboxKeys,
    private readonly conversations: SandboxConversations,
  ) {}

  /** Where a sandbox's agent server is, with the key it takes; null when it is nowhere: never started, or just being moved. */
  addressOf(sandbox: Addressed): AgentServer | null {
    return this.addressWith(sandbox, this.keys.open(sandbox.id, sandbox.sealedSessionKey));
  }

  /** As {@link addressOf}, for a sandbox whose own key was opened already. */
  addressWith({ driver, baseUrl, listenerUid }: Located, ownKey: string | null): AgentServer | null {
    if (baseUrl === null) return null;
    const running = this.drivers.find(driver);
    const located = running?.locate === undefined ? { baseUrl } : running.locate(baseUrl);
    if (located === null) return null;
    const key = running?.capabilities.sharedServer === true ? running.sharedApiKey : ownKey;
    return { ...located, apiKey: key ?? '', listenerUid };
  }

  /** Whether the agent server answers its health check, and is the one that takes this sandbox's key. */
  async answers(sandbox: Addressed): Promise<boolean> {
    const server = this.addressOf(sandbox);
    if (server === null || !(await this.checkHealth(server))) return false;
    const { baseUrl, apiKey, listenerUid } = server;
    return this.once(JSON.stringify([baseUrl, apiKey, listenerUid]), () =>
      this.client.probes.acceptsKey(server, { timeoutMs: CALL_MS }),
    );
  }

  /** Whether it answers its health check. */
  async isHealthy(sandbox: Addressed): Promise<boolean> {
    const server = this.addressOf(sandbox);
    return server !== null && this.checkHealth(server);
  }

  /** Seconds since the agent server last did something; null when it does not answer. */
  async idleSeconds(sandbox: Addressed): Promise<number | null> {
    const server = this.addressOf(sandbox);
    if (server === null) return null;
    try {
      return (await this.client.probes.serverInfo(server, { timeoutMs: CALL_MS })).idle_time;
    } catch (error) {
      if (error instanceof AgentServerError) return null;
      throw error;
    }
  }

  /**
   * Whether an agent of the sandbox runs: one that was last reported to, and of which its server does not say
   * otherwise. A report that it stopped may be lost.
   */
  async hasAgentAtWork(sandbox: Addressed): Promise<boolean> {
    const server = this.addressOf(sandbox);
    if (server === null) return false;
    for (const id of await this.conversations.idsAtWork(sandbox.id)) {
      if (await this.isAtWork(server, id)) return true;
    }
    return false;
  }

  /** Pauses the agents of a sandbox after their current step; one that does not answer in time is left alone. */
  pauseConversations(sandbox: Addressed): Promise<void> {
    return this.withEach(sandbox, (server, id, signal) =>
      this.client.pause(server, id, { timeoutMs: CALL_MS, signal }),
    );
  }

  private async isAtWork(server: AgentServer, conversationId: string): Promise<boolean> {
    try {
      const info = await this.client.getConversation(server, conversationId, { timeoutMs: CALL_MS });
      return info?.execution_status === 'running';
    } catch (error) {
      if (error instanceof AgentServerError) return !(error instanceof AgentServerRefusedError);
      throw error;
    }
  }

  private checkHealth(server: AgentServer): Promise<boolean> {
    return this.once(`${server.listenerUid ?? ''} ${server.baseUrl}`, () =>
      this.client.probes.health(server, { timeoutMs: CALL_MS }),
    );
  }

  /** Sandboxes that share a server are inspected together: one probe answers for all that wait for it. */
  private once(key: string, probe: () => Promise<boolean>): Promise<boolean> {
    const underWay = this.probes.get(key);
    if (underWay !== undefined) return underWay;
    const started = probe().finally(() => this.probes.delete(key));
    this.probes.set(key, started);
    return started;
  }

  private async withEach(
    sandbox: Addressed,
    call: (server: AgentServer, conversationId: string, signal: AbortSignal) => Promise<boolean>,
  ): Promise<void> {
    const server = this.addressOf(sandbox);
    if (server === null) return;
    const ids = await this.conversations.idsOf(sandbox.id);
    const signal = AbortSignal.timeout(ALL_CALLS_MS);
    for (const id of ids) {
      if (signal.aborted) return;
      try {
        await call(server, id, signal);
      } catch (error) {
        if (!(error instanceof AgentServerError)) throw error;
        // A server that does not answer has nothing running that could be paused.
        if (!(error instanceof AgentServerRefusedError)) return;
      }
    }
  }
}
