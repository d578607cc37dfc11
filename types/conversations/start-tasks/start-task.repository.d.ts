import { type EntityManager, type Repository } from 'typeorm';
import { StartTask } from './start-task.entity';
import type { StartTaskStatus } from './start-task-status';
/** What a new task is made of; the database has defaults for the rest. */
export type NewStartTask = Pick<StartTask, 'id' | 'orgId' | 'createdByUserId' | 'conversationId' | 'sandboxId' | 'request' | 'sealedSecrets' | 'deadlineAt'>;
/** What of a task changes while it goes on. */
export type StartTaskState = Pick<StartTask, 'status' | 'detail' | 'agentServerUrl' | 'updatedAt'>;
/** Which tasks to count. */
export interface CountedTasks extends Pick<StartTask, 'createdByUserId' | 'orgId'> {
    readonly conversationId: string | undefined;
    readonly since: Date | undefined;
}
/** A task as one run has it: its writes count only while no later run has taken it. */
export interface StartTaskLease {
    readonly taskId: string;
    /** The fencing number of the run. */
    readonly fence: number;
}
/** A later run has taken the task over, or it is over: this run must not go on. */
export declare class StartTaskLostError extends Error {
    constructor();
}
/** Reads and writes start tasks; every write of a run is guarded by its fencing number. */
export declare class StartTaskRepository {
    private readonly tasks;
    constructor(tasks: Repository<StartTask>);
    find(id: string): Promise<StartTask | null>;
    /** How far a task has come; null when there is none. Does not read its request. */
    stateOf(id: string): Promise<StartTaskState | null>;
    /** How many tasks of a user there are in an organization. @param since created then or later */
    count({ since, ...wanted }: CountedTasks): Promise<number>;
    /** @returns the new task, as the database has it */
    insert(transaction: EntityManager, task: NewStartTask): Promise<StartTask>;
    /** Takes a task for a run. @returns null when it is over or a later run has it */
    acquire({ taskId: id, fence }: StartTaskLease): Promise<StartTask | null>;
    /** Records the stage a run has come to. @throws StartTaskLostError */
    advance(lease: StartTaskLease, status: StartTaskStatus, agentServerUrl?: string): Promise<void>;
    /** Adds a sentence to the task's `detail`, once. Does nothing when the task is the run's no more. */
    addDetail(lease: StartTaskLease, sentence: string): Promise<void>;
    /** Ends a task; its secrets are not needed any more. @throws StartTaskLostError */
    end(transaction: EntityManager, lease: StartTaskLease, status: 'READY' | 'ERROR', detail: string | null): Promise<void>;
    /** Ends all tasks of these conversations that are not over, whichever run has them. */
    failAll(transaction: EntityManager, conversationIds: readonly string[], detail: string): Promise<void>;
    /** The ids of the tasks that wait for a sandbox. */
    idsWaitingFor(transaction: EntityManager, sandboxId: string): Promise<string[]>;
    private write;
}
