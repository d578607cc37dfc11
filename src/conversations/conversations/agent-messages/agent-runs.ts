import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { type AgentServer, AgentServerBusyError, AgentServerClient } from '../../../sandboxes/agent-server';
import { Clock, uuidText } from '../../../kernel/common';
import { lockForTransaction } from '../../../kernel/database';
import { JobHandlers, JobQueue, queueOfServer } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';

/** Name of the job, as the database has it. */
const RUN_JOB = 'agent-run';
const RETRY_MS = 2_000;

const payload = z.object({ conversationId: uuidText, sandboxId: uuidText });

/** An agent that is to run. */
type AgentRun = z.infer<typeof payload>;

/**
 * Has agents run for messages that are stored already: an agent server that runs as many agents as it may takes
 * messages, but does not run the agent for them (docs/agent-servers.md#agents-at-once).
 */
@Injectable()
export class AgentRuns {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(RUN_JOB, payload, (run) => this.run(run), 'slow');
  }

  /**
   * Runs an agent as soon as its server lets it; one at a time for each server. A pause of the sandbox ends the wait,
   * as it ends a run.
   */
  later(server: AgentServer, run: AgentRun): Promise<void> {
    return this.plan(this.database.manager, server, run);
  }

  /** Whether an agent is to run later. */
  isPlanned(conversationId: string): Promise<boolean> {
    return this.jobs.has(this.database.manager, keyOf(conversationId));
  }

  /** Cancels a planned run. @returns whether there was one */
  async cancel(conversationId: string): Promise<boolean> {
    if (!(await this.isPlanned(conversationId))) return false;
    return this.database.transaction((transaction) => this.cancelIn(transaction, conversationId));
  }

  /** As {@link cancel}, in a transaction. */
  async cancelIn(transaction: EntityManager, conversationId: string): Promise<boolean> {
    const key = keyOf(conversationId);
    await lockForTransaction(transaction, key);
    const wasPlanned = await this.jobs.has(transaction, key);
    if (wasPlanned) await this.jobs.remove(transaction, key);
    return wasPlanned;
  }

  private async run({ conversationId, sandboxId }: AgentRun): Promise<void> {
    const sandbox = await this.sandboxes.byId(sandboxId);
    if (sandbox?.status !== 'RUNNING' || sandbox.stopping || sandbox.agentServer === null) return;
    try {
      await this.agentServers.run(sandbox.agentServer, conversationId);
    } catch (error) {
      if (!(error instanceof AgentServerBusyError)) throw error;
      await this.again(sandbox.agentServer, { conversationId, sandboxId });
    }
  }

  /** As {@link later}, for the job of a run; nothing happens once that was cancelled. */
  private async again(server: AgentServer, run: AgentRun): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const key = keyOf(run.conversationId);
      await lockForTransaction(transaction, key);
      if (await this.jobs.has(transaction, key)) await this.plan(transaction, server, run);
    });
  }

  private async plan(manager: EntityManager, server: AgentServer, run: AgentRun): Promise<void> {
    const runAt = new Date(this.clock.now().getTime() + RETRY_MS);
    const key = keyOf(run.conversationId);
    const queue = queueOfServer('run', server.baseUrl);
    await this.jobs.add(manager, { name: RUN_JOB, payload: run, key, runAt, queue });
  }
}

function keyOf(conversationId: string): string {
  return `run:${conversationId}`;
}
