import type { Settings } from '../../../config';
import type { SandboxHandle } from '../../record/sandbox-driver';
import { type Engine } from './engine';
import type { Units } from './units';
/**
 * Containers whose agent servers were started ahead and wait for their keys (`SANDBOX_WARM`). One is claimed by making a
 * volume: of several that make one of the same name, the engine answers with the labels of the first. That volume says
 * whose it is from then on, so it is found whatever happens to who claimed it.
 */
export declare class WarmUnits {
    private readonly settings;
    private readonly engine;
    private readonly units;
    private readonly youngMs;
    private readonly log;
    private isWorking;
    private isClosed;
    private restUntilMs;
    constructor(settings: Settings, engine: Engine, units: Units, youngMs?: number);
    /** Gives a new sandbox a container that is ready. @returns false where there is none */
    claim(sandbox: SandboxHandle): Promise<boolean>;
    /** Makes as many as there should be, and removes those that are of no use any more. */
    replenish(installationId: string): Promise<void>;
    /** Removes what says whose a container made ahead is, when it is nobody's any more. */
    forget(store: string): Promise<void>;
    /** Makes no more; those that wait stay for the next start. */
    close(): void;
    /** How many there should be: none for a driver that has no new sandboxes. */
    private get wanted();
    private mustStop;
    private make;
    /** Those that nobody has claimed: what waits with the settings of now, what ended, and what is left of others. */
    private find;
    private listed;
    private isReady;
    /** @returns false when another sandbox was quicker */
    private take;
    /** Gives the agent server the sandbox's keys in place of its own. @returns false when it does not take them */
    private hand;
    private settingsDigest;
}
