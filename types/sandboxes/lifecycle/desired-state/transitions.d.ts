import type { Decision } from '../../record/sandbox-store';
import { type Sandbox } from '../../record/sandbox.entity';
/** True for a sandbox that rests, or is about to, and can be started again. */
export declare function isResumable({ status, stopping }: Sandbox): boolean;
/** True for a sandbox that is paused, or is being paused. */
export declare function isPaused({ status, stopping }: Sandbox): boolean;
/** True for a sandbox that runs or starts, and was not asked to stop. */
export declare function isActive({ status, stopping }: Sandbox): boolean;
/** Starts a sandbox, or starts it again. */
export declare function start(now: Date, startSeconds: number): NonNullable<Decision>;
/** As {@link start}, of one whose process runs already: it only has to answer. */
export declare function adopt(now: Date, startSeconds: number): NonNullable<Decision>;
/** Pauses what runs or starts; null for others. */
export declare function pause(sandbox: Sandbox, now: Date): Decision;
/** Deletes a sandbox that is not deleted, nor about to be. */
export declare function remove({ status, stopping }: Sandbox, now: Date): Decision;
/** What is written of a sandbox that is gone: its key is no longer valid. */
export declare function missing(statusDetail: string): Partial<Sandbox>;
/** What is written of a sandbox that failed and can be started again. */
export declare function failed(statusDetail: string): Partial<Sandbox>;
/** Ends a stop or start that never completed: ERROR, or MISSING where it was to be deleted. */
export declare function giveUp(sandbox: Sandbox, detail: {
    deleted: string;
    failed: string;
}): Decision;
