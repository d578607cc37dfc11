import { Clock } from '../../common';
import { SandboxReader, type SandboxView } from '../../sandboxes';
/** The sandboxes behind the door, cached briefly. */
export declare class DoorSandboxes {
    private readonly sandboxes;
    private readonly views;
    private cleared;
    constructor(sandboxes: SandboxReader, clock: Clock);
    /** A sandbox as it was a moment ago; null for an unknown id. */
    recent(id: string): Promise<SandboxView | null>;
    /** Changes whenever the cache is cleared. */
    get generation(): number;
    /** A sandbox as it is now. */
    current(id: string): Promise<SandboxView | null>;
    /** Clears the cache, so that nothing read before a change is used after it. */
    forget(): Promise<void>;
    private clear;
}
