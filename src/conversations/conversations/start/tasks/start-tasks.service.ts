import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, OrgResolution } from '../../../../kernel/auth';
import { clampLimit, MAX_PAGE_LIMIT, PageIds, parseUuid } from '../../../../kernel/common';
import {
  type ResponseItem,
  assertResponseFits,
  fittingPage,
  type JsonResponse,
  LargeResponses,
  LIST_FRAME,
  pageFrame,
} from '../../../../kernel/http';
import type { AppConversationStartTask, StartTaskFilter, StartTaskSearch } from './start-task.dto';
import { StartTaskRepository, type StartTaskState } from '../../start-tasks/start-task.repository';
import { isOver } from '../../start-tasks/start-task-status';
import {
  START_REQUESTS,
  START_TASK_PAGE,
  type StartTaskRow,
  START_TASKS_BY_ID,
} from './start-task-page.query';
import type { StartTask } from '../../start-tasks/start-task.entity';

const STREAM_POLL_MS = 250;
const TASK_PAGES = PageIds.byTime('start-tasks');

/** A task in a response; null for an id that names none. */
interface TaskItem extends ResponseItem {
  readonly task: StartTaskRow | null;
}

const NO_TASK: TaskItem = { task: null, bytes: 0, text: 'null' };

/** Reads the caller's start tasks; responses are JSON texts, because their requests may be large. */
@Injectable()
export class StartTasksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: StartTaskRepository,
    private readonly organizations: OrgResolution,
    private readonly large: LargeResponses,
  ) {}

  /**
   * The tasks of the ids, in their order, as a JSON array; null for what is not the caller's.
   * @param ids UUIDs in any spelling, also as `task-<32 hex>`
   * @throws ResponseTooLargeError, TooManyLargeResponsesError
   */
  async getMany(caller: Caller, ids: readonly string[]): Promise<JsonResponse> {
    const wanted = ids.slice(0, MAX_PAGE_LIMIT).map((id) => parseUuid(id.replace(/^task-/, '')));
    const known = wanted.filter((id) => id !== null);
    const reachable = new Map<string, StartTaskRow>();
    for (const task of await START_TASKS_BY_ID.rows(this.database, [caller.userId, known]))
      if (await this.organizations.mayUse(caller, task.orgId)) reachable.set(task.id, task);
    const items = wanted.map((id) => itemOf(id === null ? undefined : reachable.get(id)));
    assertResponseFits(items);
    return this.large.respond(caller.userId, items, LIST_FRAME, (unread) => this.read(unread));
  }

  /** One page of the caller's tasks in an organization, newest first. @throws TooManyLargeResponsesError */
  async search(caller: Caller, orgId: string, search: StartTaskSearch): Promise<JsonResponse> {
    const limit = clampLimit(search.limit);
    const from = TASK_PAGES.read(search.page_id);
    const conversation = search.conversation_id__eq;
    const rows = await START_TASK_PAGE.rows(this.database, [
      caller.userId,
      orgId,
      from?.at ?? null,
      conversation !== undefined,
      conversation === undefined ? null : parseUuid(conversation),
      limit + 1,
      search.created_at__gte ?? null,
      from?.id ?? null,
    ]);
    const { items, next } = fittingPage(rows, limit);
    const nextId = next === undefined ? null : TASK_PAGES.write({ at: next.createdAt, id: next.id });
    return this.large.respond(caller.userId, items.map(itemOf), pageFrame(nextId), (unread) =>
      this.read(unread),
    );
  }

  /** How many of the caller's tasks in an organization a filter finds. */
  count({ userId }: Caller, orgId: string, filter: StartTaskFilter): Promise<number> {
    const { conversation_id__eq: text, created_at__gte: since } = filter;
    const conversationId = text === undefined ? undefined : parseUuid(text);
    return conversationId === null
      ? Promise.resolve(0)
      : this.tasks.count({ createdByUserId: userId, orgId, conversationId, since });
  }

  /**
   * Follows a task to its end.
   * @param begun the task as it began
   * @returns every state it is seen in, that one at once
   */
  async *follow(
    begun: AppConversationStartTask,
    signal: AbortSignal,
  ): AsyncGenerator<AppConversationStartTask> {
    yield begun;
    const { status, detail, agent_server_url: agentServerUrl, updated_at: updatedAt } = begun;
    let seen = stateText({ status, detail, agentServerUrl, updatedAt });
    while (!signal.aborted) {
      const state = await this.tasks.stateOf(begun.id);
      if (state === null) return;
      const task = stateText(state) === seen ? null : await this.tasks.find(begun.id);
      if (task !== null) {
        yield toStartTask(task);
        if (isOver(task.status)) return;
        seen = stateText(task);
      }
      await pause(STREAM_POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The JSON texts of tasks whose requests were not read with them; one that is gone meanwhile is null. */
  private async read(items: readonly TaskItem[]): Promise<string[]> {
    const tasks = items.map(({ task }) => task).filter((task) => task !== null);
    const rows = await START_REQUESTS.rows(this.database, [tasks.map(({ id }) => id)]);
    const requests = new Map(rows.map(({ id, request }) => [id, request]));
    return tasks.map((task) => {
      const request = requests.get(task.id);
      return request === undefined ? 'null' : toStartTaskJson(task, request);
    });
  }
}

/** The fields of a task that change while it runs; as JSON, times are texts. */
type ShownState = Omit<StartTaskState, 'updatedAt'> & { readonly updatedAt: Date | string };

function stateText({ status, detail, agentServerUrl, updatedAt }: ShownState): string {
  return JSON.stringify([status, detail, agentServerUrl, updatedAt]);
}

function itemOf(task: StartTaskRow | undefined): TaskItem {
  if (task === undefined) return NO_TASK;
  const { bytes, requestText } = task;
  return { task, bytes, text: requestText === null ? null : toStartTaskJson(task, requestText) };
}

type WithoutRequest = Omit<StartTask, 'request' | 'requestBytes' | 'sealedSecrets'>;

/** A start task as answered. */
export function toStartTask(task: WithoutRequest & Pick<StartTask, 'request'>): AppConversationStartTask {
  return { ...fieldsOf(task), request: { ...task.request } };
}

/** As {@link toStartTask}, as JSON text. @param request the JSON text of the request */
function toStartTaskJson(task: WithoutRequest, request: string): string {
  return `${JSON.stringify(fieldsOf(task)).slice(0, -1)},"request":${request}}`;
}

function fieldsOf(task: WithoutRequest): Omit<AppConversationStartTask, 'request'> {
  return {
    id: task.id,
    created_by_user_id: task.createdByUserId,
    status: task.status,
    detail: task.detail,
    app_conversation_id: task.status === 'READY' ? task.conversationId : null,
    sandbox_id: task.sandboxId,
    agent_server_url: task.agentServerUrl,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}
