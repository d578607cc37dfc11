import { type EntityManager, Repository } from 'typeorm';
import { SandboxCapacity } from '../../record/sandbox-capacity';
import { SandboxStore } from '../../record/sandbox-store';
import { Sandbox } from '../../record/sandbox.entity';
import type { SandboxStatus } from '../../record/sandbox.ports';
import { SandboxAvailability } from './sandbox-availability';
import { SandboxDesiredState } from './sandbox-desired-state';
/** Starts paused sandboxes for what is to happen in them (docs/contract.md#waking-a-sandbox). */
export declare class SandboxWaker {
    private readonly sandboxes;
    private readonly availability;
    private readonly capacity;
    private readonly store;
    private readonly desired;
    constructor(sandboxes: Repository<Sandbox>, availability: SandboxAvailability, capacity: SandboxCapacity, store: SandboxStore, desired: SandboxDesiredState);
    /**
     * Starts a sandbox that is paused, or being paused, and does something in the same transaction, at the end of which
     * it starts or runs and counts as used just now; whoever pauses it comes before or after both.
     * @param work gets the status that the sandbox has with it
     * @returns what the work returned; null for one that failed, is being deleted or is gone, and nothing is done
     * @throws ConcurrencyLimitReachedError, SandboxDriverUnavailableError, and whatever the work throws; the sandbox then
     *   stays as it was
     */
    wake<Result>(id: string, work: (transaction: EntityManager, status: SandboxStatus) => Promise<Result>): Promise<Result | null>;
    private awake;
}
