import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, OrgResolution } from '../../../auth';
import { clampLimit, MAX_PAGE_LIMIT, type Page, pageOf, parseUuid } from '../../../common';
import type { AppConversationStartTask, StartTaskSearch } from './start-conversation.dto';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { isOver } from '../../start-tasks/start-task-status';
import { START_TASK_PAGE } from './start-task-page.query';
import { toStartTask } from './start-task.mapper';

const STREAM_POLL_MS = 250;

/** Reads the caller's start tasks. */
@Injectable()
export class StartTasksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: StartTaskRepository,
    private readonly organizations: OrgResolution,
  ) {}

  /**
   * The tasks of the ids, in their order; null for what is not the caller's.
   * @param ids UUIDs in any spelling, also as `task-<32 hex>`
   */
  async getMany(caller: Caller, ids: readonly string[]): Promise<(AppConversationStartTask | null)[]> {
    const wanted = ids.slice(0, MAX_PAGE_LIMIT).map((id) => parseUuid(id.replace(/^task-/, '')));
    const tasks = await this.tasks.findOwned(
      caller.userId,
      wanted.filter((id) => id !== null),
    );
    const reachable = new Map<string, AppConversationStartTask>();
    for (const task of tasks)
      if ((await this.organizations.ofResource(caller, task.orgId)) !== null)
        reachable.set(task.id, toStartTask(task));
    return wanted.map((id) => (id === null ? null : (reachable.get(id) ?? null)));
  }

  /** One page of the caller's tasks in an organization, newest first. */
  async search(
    caller: Caller,
    orgId: string,
    search: StartTaskSearch,
  ): Promise<Page<AppConversationStartTask>> {
    const limit = clampLimit(search.limit);
    const from = search.page_id === undefined ? null : parseUuid(search.page_id);
    const conversation = search.conversation_id__eq;
    const tasks = await START_TASK_PAGE.rows(this.database, [
      ...[caller.userId, orgId, from],
      ...[conversation !== undefined, conversation === undefined ? null : parseUuid(conversation)],
      limit + 1,
    ]);
    return pageOf(tasks, limit, toStartTask, (task) => task.id);
  }

  /**
   * Follows a task to its end.
   * @returns every state it is seen in, the first one at once
   */
  async *follow(taskId: string, signal: AbortSignal): AsyncGenerator<AppConversationStartTask> {
    let seen = '';
    while (!signal.aborted) {
      const found = await this.tasks.find(taskId);
      if (found === null) return;
      const task = toStartTask(found);
      const state = JSON.stringify(task);
      if (state !== seen) yield task;
      if (isOver(task.status)) return;
      seen = state;
      await pause(STREAM_POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
