import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, OrgResolution } from '../../../auth';
import { clampLimit, MAX_PAGE_LIMIT, type Page, pageOf, parseUuid } from '../../../common';
import type { AppConversationStartTask, StartTaskSearch } from './start-conversation.dto';
import { isOver } from './start-task-status';
import type { StartTaskRow } from './start-task-store';
import { toStartTask } from './start-task.mapper';

const STREAM_POLL_MS = 250;

/** Reads the caller's start tasks. */
@Injectable()
export class StartTasksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly organizations: OrgResolution,
  ) {}

  /**
   * The tasks of the ids, in their order; null for what is not the caller's.
   * @param ids UUIDs in any spelling, also as `task-<32 hex>`
   */
  async getMany(caller: Caller, ids: readonly string[]): Promise<(AppConversationStartTask | null)[]> {
    const wanted = ids.slice(0, MAX_PAGE_LIMIT).map((id) => parseUuid(id.replace(/^task-/, '')));
    const rows = await this.database.query<StartTaskRow[]>(
      'SELECT * FROM start_tasks WHERE id = ANY ($1::uuid[]) AND created_by_user_id = $2',
      [wanted.filter((id) => id !== null), caller.userId],
    );
    const reachable = new Map<string, AppConversationStartTask>();
    for (const row of rows)
      if ((await this.organizations.ofResource(caller, row.org_id)) !== null)
        reachable.set(row.id, toStartTask(row));
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
    const rows = await this.database.query<StartTaskRow[]>(
      `SELECT * FROM start_tasks
        WHERE created_by_user_id = $1 AND org_id = $2
          AND ($3::uuid IS NULL OR (created_at, id) <= (SELECT created_at, id FROM start_tasks WHERE id = $3))
          AND (NOT $4 OR conversation_id = $5)
        ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
      [
        caller.userId,
        orgId,
        from,
        conversation !== undefined,
        conversation === undefined ? null : parseUuid(conversation),
      ],
    );
    return pageOf(rows, limit, toStartTask, (row) => row.id);
  }

  /**
   * Follows a task to its end.
   * @returns every state it is seen in, the first one at once
   */
  async *follow(taskId: string, signal: AbortSignal): AsyncGenerator<AppConversationStartTask> {
    let seen = '';
    while (!signal.aborted) {
      const [row] = await this.database.query<StartTaskRow[]>('SELECT * FROM start_tasks WHERE id = $1', [
        taskId,
      ]);
      if (row === undefined) return;
      const task = toStartTask(row);
      const state = JSON.stringify(task);
      if (state !== seen) yield task;
      if (isOver(row.status)) return;
      seen = state;
      await pause(STREAM_POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
