import type { EntityManager } from 'typeorm';
import { type Settings } from '../../../config';
import { SandboxCapacity } from '../../record/sandbox-capacity';
import { SandboxKeys } from '../../record/sandbox-keys';
import { type Decision, SandboxStore } from '../../record/sandbox-store';
import { SandboxLifecycle } from '../../record/sandbox.ports';
import { SandboxActivity } from './sandbox-activity';
import { SandboxPlacement } from './sandbox-placement';
/** Writes the desired state of sandboxes; the reconciler brings them there. */
export declare class SandboxDesiredState extends SandboxLifecycle {
    private readonly settings;
    private readonly store;
    private readonly capacity;
    private readonly placement;
    private readonly keys;
    private readonly activity;
    constructor(settings: Settings, store: SandboxStore, capacity: SandboxCapacity, placement: SandboxPlacement, keys: SandboxKeys, activity: SandboxActivity);
    /** @throws ConcurrencyLimitReachedError, DriverNotAvailableError, SandboxDriverUnavailableError */
    create(transaction: EntityManager, owner: {
        orgId: string;
        userId: string;
    }): Promise<string>;
    /** @throws ConcurrencyLimitReachedError */
    resume(transaction: EntityManager, id: string): Promise<void>;
    /** Pauses what runs or starts; nothing happens to others. */
    pause(transaction: EntityManager, id: string): Promise<void>;
    lock(transaction: EntityManager, ids: readonly string[]): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
    touch(id: string): void;
    /** What a start writes. */
    started(now: Date): Decision;
    /** As {@link started}, of a sandbox whose agent server runs already. */
    adopted(now: Date): Decision;
}
