import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { TitleForwarding } from '../../app-conversations/title-forwarding';
import { ConversationQueue } from '../../queue/conversation-queue';
import { ConversationRepository, type LaunchedWith } from '../../record/conversation.repository';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { ConversationRemovals } from '../../removal/conversation-removals';
import { SandboxRelease } from '../../removal/sandbox-release';
import { fencedTask, type StartRun } from './start-run';

/** Ends starts: with a conversation that is ready, with one that failed, or with none because it was deleted. */
@Injectable()
export class StartOutcome {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly tasks: StartTaskRepository,
    private readonly queue: ConversationQueue,
    private readonly titles: TitleForwarding,
    private readonly removals: ConversationRemovals,
    private readonly release: SandboxRelease,
  ) {}

  /** The agent server has the conversation. @throws StartTaskFencedError */
  async succeed(run: StartRun, launchedWith: LaunchedWith): Promise<void> {
    const { conversationId } = run.task;
    await this.database.transaction(async (transaction) => {
      await this.conversations.markReady(transaction, conversationId, launchedWith);
      await this.tasks.end(transaction, fencedTask(run), 'READY', null);
      if (run.request.title) await this.titles.later(transaction, conversationId);
      await this.queue.resume(transaction, conversationId);
    });
  }

  /**
   * Releases what the start reserved, including its sandbox unless other conversations are in it.
   * @param reason for the task and for the messages that were queued
   * @param lastWords what its agent server wrote last, for the task
   * @throws StartTaskFencedError
   */
  async fail(
    run: Pick<StartRun, 'task' | 'job'>,
    reason: string,
    lastWords: string | null = null,
  ): Promise<void> {
    const { id: startTaskId, conversationId, sandboxId } = run.task;
    const detail = lastWords === null ? reason : `${reason}\n${lastWords}`;
    await this.database.transaction(async (transaction) => {
      await this.release.lock(transaction, [sandboxId]);
      await this.conversations.markFailed(transaction, conversationId);
      await this.tasks.end(transaction, fencedTask(run), 'ERROR', detail);
      await this.queue.close(transaction, [conversationId], `The conversation did not start: ${reason}`);
      await this.release.leave(transaction, sandboxId, [{ id: conversationId, startTaskId }], {
        keepsLog: true,
      });
    });
  }

  /**
   * A run, this one or one that died, may have made the conversation at the agent server after it was deleted
   * here, which then found nothing to delete there.
   */
  async removeIfDeleted(taskId: string): Promise<void> {
    const task = await this.tasks.find(taskId);
    const deleted = task === null ? null : await this.conversations.findDeleted(task.conversationId);
    if (task === null || deleted === null) return;
    const startTaskId = deleted.startState === 'ready' ? null : task.id;
    await this.removals.addDeleted({ id: deleted.id, startTaskId }, task.sandboxId);
  }
}
