import { Statement } from '../../database';
import type { SandboxStatus } from '../record/sandbox.ports';
/** Sandboxes by the status they show. */
export declare const SANDBOX_COUNTS: Statement<{
    readonly status: SandboxStatus;
    readonly count: number;
}>;
