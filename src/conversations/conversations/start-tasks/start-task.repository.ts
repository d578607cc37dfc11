import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  Any,
  type EntityManager,
  type FindOptionsWhere,
  In,
  LessThan,
  MoreThanOrEqual,
  Not,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import { cutText, storableText } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { StartTask } from './start-task.entity';
import type { StartTaskStatus } from './start-task-status';
import { MAX_DETAIL } from '../record/text-limits';

/** The columns of a new task; the rest have defaults in the database. */
type NewStartTask = Pick<
  StartTask,
  | 'id'
  | 'orgId'
  | 'createdByUserId'
  | 'conversationId'
  | 'sandboxId'
  | 'request'
  | 'sealedSecrets'
  | 'traceContext'
  | 'deadlineAt'
>;

/** The columns of a task that change while it runs. */
export type StartTaskState = Pick<StartTask, 'status' | 'detail' | 'agentServerUrl' | 'updatedAt'>;

/** Which tasks to count. */
interface CountedTasks extends Pick<StartTask, 'createdByUserId' | 'orgId'> {
  readonly conversationId: string | undefined;
  readonly since: Date | undefined;
}

/** A task claimed by a run: its writes take effect only while no later run has claimed it. */
export interface FencedStartTask {
  readonly taskId: string;
  /** The fencing number of the run. */
  readonly fence: number;
}

const IS_OPEN = Not(In(['READY', 'ERROR'] satisfies StartTaskStatus[]));

/** The fields of a task in an event. */
type PublishedTask = Pick<StartTask, 'id' | 'orgId' | 'conversationId'>;

/** A later run has taken the task over, or it is over: this run must not go on. */
export class StartTaskFencedError extends Error {
  constructor() {
    super('The start task belongs to a later run or is over.');
    this.name = 'StartTaskFencedError';
  }
}

/** Reads and writes start tasks; every write of a run is guarded by its fencing number. */
@Injectable()
export class StartTaskRepository {
  constructor(
    @InjectRepository(StartTask) private readonly tasks: Repository<StartTask>,
    private readonly events: DomainEvents,
  ) {}

  find(id: string): Promise<StartTask | null> {
    return this.tasks.findOneBy({ id });
  }

  /** The task whose repository a run is preparing now; null when it is not at that, or a later run has it. */
  preparing(fenced: FencedStartTask): Promise<Pick<StartTask, 'id' | 'orgId' | 'createdByUserId'> | null> {
    return this.tasks.findOne({
      select: { id: true, orgId: true, createdByUserId: true },
      where: { ...heldBy(fenced), status: 'PREPARING_REPOSITORY' satisfies StartTaskStatus },
    });
  }

  /** How far a task has come; null when there is none. Does not read its request. */
  stateOf(id: string): Promise<StartTaskState | null> {
    const select = { id: true, status: true, detail: true, agentServerUrl: true, updatedAt: true } as const;
    return this.tasks.findOne({ select, where: { id } });
  }

  /** How many tasks of a user there are in an organization. @param since created then or later */
  count({ since, ...wanted }: CountedTasks): Promise<number> {
    return this.tasks.countBy({
      createdByUserId: wanted.createdByUserId,
      orgId: wanted.orgId,
      ...(wanted.conversationId !== undefined && { conversationId: wanted.conversationId }),
      ...(since !== undefined && { createdAt: MoreThanOrEqual(since) }),
    });
  }

  /** @returns the new task, as the database has it */
  async insert(transaction: EntityManager, task: NewStartTask): Promise<StartTask> {
    const stored = transaction.create(StartTask, {
      ...task,
      status: 'WORKING',
      detail: null,
      agentServerUrl: null,
    });
    await transaction.insert(StartTask, stored);
    await this.publish(transaction, stored, stored.status);
    return stored;
  }

  /** Takes a task for a run. @returns null when it is over or a later run has it */
  async acquire({ taskId: id, fence }: FencedStartTask): Promise<StartTask | null> {
    const { affected } = await this.tasks.update(
      { id, fence: LessThan(String(fence)), status: IS_OPEN },
      { fence: String(fence), updatedAt: () => 'updated_at' },
    );
    return affected === 0 ? null : this.tasks.findOneBy({ id, fence: String(fence) });
  }

  /** Records the stage a run has come to. @throws StartTaskFencedError */
  async advance(fenced: FencedStartTask, status: StartTaskStatus, agentServerUrl?: string): Promise<void> {
    const changes = { status, ...(agentServerUrl !== undefined && { agentServerUrl }) };
    await this.tasks.manager.transaction((transaction) => this.write(transaction, fenced, changes));
  }

  /** Adds a sentence to the task's `detail`, once. Does nothing when the task is the run's no more. */
  async addDetail(fenced: FencedStartTask, sentence: string): Promise<void> {
    const task = await this.tasks.findOneBy(heldBy(fenced));
    const text = storableText(sentence);
    if (task === null || task.detail?.includes(text)) return;
    const detail = task.detail === null ? text : `${task.detail} ${text}`;
    await this.tasks.update(heldBy(fenced), { detail: cutText(detail, MAX_DETAIL) });
  }

  /** Ends a task; its secrets are not needed any more. @throws StartTaskFencedError */
  async end(
    transaction: EntityManager,
    fenced: FencedStartTask,
    status: 'READY' | 'ERROR',
    detail: string | null,
  ): Promise<void> {
    await this.write(transaction, fenced, {
      status,
      sealedSecrets: null,
      ...(detail !== null && { detail: cutText(detail, MAX_DETAIL) }),
    });
  }

  /** Ends all tasks of these conversations that are not over, whichever run has them. */
  async failAll(
    transaction: EntityManager,
    conversationIds: readonly string[],
    detail: string,
  ): Promise<void> {
    const open = await lockedTasks(transaction, { conversationId: Any(conversationIds), status: IS_OPEN });
    if (open.length === 0) return;
    const ids = open.map(({ id }) => id);
    await transaction.update(StartTask, { id: Any(ids) }, { status: 'ERROR', detail, sealedSecrets: null });
    for (const task of open) await this.publish(transaction, task, 'ERROR');
  }

  /** The tasks that wait for a sandbox. */
  waitingFor(
    transaction: EntityManager,
    sandboxId: string,
  ): Promise<Pick<StartTask, 'id' | 'traceContext'>[]> {
    const status = In(['WORKING', 'WAITING_FOR_SANDBOX'] satisfies StartTaskStatus[]);
    return transaction.find(StartTask, {
      select: { id: true, traceContext: true },
      where: { sandboxId, status },
    });
  }

  private async write(
    transaction: EntityManager,
    fenced: FencedStartTask,
    changes: QueryDeepPartialEntity<StartTask> & Pick<StartTask, 'status'>,
  ): Promise<void> {
    const [before] = await lockedTasks(transaction, heldBy(fenced));
    if (before === undefined) throw new StartTaskFencedError();
    await transaction.update(StartTask, { id: before.id }, changes);
    if (before.status !== changes.status) await this.publish(transaction, before, changes.status);
  }

  private publish(
    transaction: EntityManager,
    { id, orgId, conversationId }: PublishedTask,
    status: StartTaskStatus,
  ): Promise<void> {
    return this.events.publish(transaction, {
      kind: 'start_task.status_changed',
      org_id: orgId,
      conversation_id: conversationId,
      start_task_id: id,
      status,
    });
  }
}

/** Locks tasks in the order of their ids. */
function lockedTasks(
  transaction: EntityManager,
  where: FindOptionsWhere<StartTask>,
): Promise<(PublishedTask & Pick<StartTask, 'status'>)[]> {
  return transaction.find(StartTask, {
    select: { id: true, orgId: true, conversationId: true, status: true },
    where,
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
}

function heldBy({ taskId, fence }: FencedStartTask): FindOptionsWhere<StartTask> {
  return { id: taskId, fence: String(fence), status: IS_OPEN };
}
