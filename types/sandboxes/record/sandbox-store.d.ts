import { type EntityManager, Repository } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { Sandbox } from './sandbox.entity';
/** What a change of a sandbox writes and causes; null leaves the sandbox as it is. */
export type Decision = {
    readonly set?: Partial<Sandbox>;
    /** Has the sandbox reconciled this much later. */
    readonly reconcileInMs?: number;
    /** Has its host remove what may be left on it of a sandbox that is given up. */
    readonly leftover?: boolean;
} | null;
/**
 * @param sandbox as it is under the lock of its row
 * @param now by the database's clock, which all replicas share
 */
export type Decide = (sandbox: Sandbox, now: Date) => Decision;
/** A sandbox, and the time by the database's clock at which it was read. */
export interface SandboxAt {
    readonly sandbox: Sandbox;
    readonly now: Date;
}
/** What a new sandbox has of its own. */
export type NewSandbox = Pick<Sandbox, 'id' | 'orgId' | 'createdByUserId' | 'driver' | 'hostId'> & Partial<Pick<Sandbox, 'sealedSessionKey' | 'sessionKeyDigest'>>;
/** The one place where sandboxes are written, under the lock of their row. */
export declare class SandboxStore {
    private readonly sandboxes;
    private readonly jobs;
    private readonly events;
    constructor(sandboxes: Repository<Sandbox>, jobs: JobQueue, events: DomainEvents);
    /** Adds a sandbox that is to be started within a time, publishes its first status, and has it reconciled. */
    insert(transaction: EntityManager, sandbox: NewSandbox, startSeconds: number): Promise<void>;
    /**
     * Changes a sandbox according to its current state, and publishes a new status.
     * @param transaction default: one of its own
     * @returns the sandbox after the change, or null when nothing was changed
     */
    change(id: string, decide: Decide, transaction?: EntityManager): Promise<SandboxAt | null>;
    /** As {@link change}, for a run that has claimed the sandbox: null also when a later run has it now. */
    changeAs(fence: number, id: string, decide: Decide): Promise<SandboxAt | null>;
    /** Has a sandbox reconciled; nothing happens where there is none. */
    reconcile(id: string, inMs?: number): Promise<void>;
    /** Keeps sandboxes as they are until the transaction ends. */
    lock(transaction: EntityManager, ids: readonly string[]): Promise<void>;
    /**
     * Claims a sandbox for a run.
     * @returns the sandbox, or why not: another run has it, or there is none
     */
    claim(id: string, fence: number): Promise<SandboxAt | 'busy' | 'unknown'>;
    /** Extends a claim and reads the sandbox again; null when a later run has it. */
    renew(id: string, fence: number): Promise<SandboxAt | null>;
    /** Gives a claim back. */
    release(id: string, fence: number): Promise<void>;
    private write;
    private publish;
}
