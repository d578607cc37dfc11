import { Injectable, Logger } from '@nestjs/common';
import { type AgentServer, AgentServerClient } from '../../../sandboxes/agent-server';
import { Clock } from '../../../kernel/common';
import { JobHandlers } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { TASK_TAG } from '../start-tasks/start-task-status';
import type { ConversationRemoval } from './conversation-removal.entity';
import { ConversationRemovals, REMOVAL_JOB, removalPayload } from './conversation-removals';

/** Removes deleted conversations from their agent servers; while one does not answer, its job is tried again. */
@Injectable()
export class RemovalWorker {
  private readonly logger = new Logger(RemovalWorker.name);

  constructor(
    private readonly removals: ConversationRemovals,
    private readonly sandboxes: SandboxReader,
    private readonly agentServers: AgentServerClient,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(REMOVAL_JOB, removalPayload, ({ conversationId }) => this.run(conversationId), 'slow');
  }

  private async run(conversationId: string): Promise<void> {
    const removal = await this.removals.find(conversationId);
    if (removal === null) return;
    const server = await this.serverOf(removal);
    if (server === 'waits') return;
    if (server === 'gone') return this.removals.end(conversationId);
    if (await this.remove(server, removal)) return this.removals.end(conversationId);
    if (this.clock.now() >= removal.settlesAt) return this.removals.end(conversationId);
    await this.removals.lookAgain(removal);
  }

  /** A server of the sandbox's own goes with it, and is asked only while it runs. */
  private async serverOf(removal: ConversationRemoval): Promise<AgentServer | 'gone' | 'waits'> {
    const { driver, baseUrl, sandboxId } = removal;
    if (driver !== null && baseUrl !== null)
      return this.sandboxes.addressOfShared({ driver, baseUrl }) ?? 'gone';
    const sandbox = await this.sandboxes.byId(sandboxId);
    if (sandbox === null || sandbox.status === 'MISSING') return 'gone';
    return sandbox.agentServer ?? 'waits';
  }

  /** @returns false when the server has no such conversation, or one of another user under its id */
  private async remove(server: AgentServer, removal: ConversationRemoval): Promise<boolean> {
    const { conversationId: id, startTaskId } = removal;
    if (startTaskId !== null) {
      const info = await this.agentServers.getConversation(server, id);
      if (info?.tags?.[TASK_TAG] !== startTaskId) return false;
    }
    // A deletion alone waits for the tool that runs.
    await this.agentServers.interrupt(server, id);
    const known = await this.agentServers.deleteConversation(server, id);
    if (!known) this.logger.debug(`The agent server knew no conversation ${id} to delete.`);
    return known;
  }
}
