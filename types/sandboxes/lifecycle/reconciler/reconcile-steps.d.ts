import { type Settings } from '../../../config';
import { AgentServers } from '../../access/agent-servers';
import { SandboxRuntime } from '../../access/sandbox-runtime';
import { type SandboxAt, SandboxStore } from '../../record/sandbox-store';
import type { Sandbox } from '../../record/sandbox.entity';
/** One step on the way to the desired state. */
export type Step = 'launch' | 'await-answer' | 'verify' | 'pause' | 'delete';
/** A sandbox that a run has claimed, with the number it writes under. */
export interface ClaimedSandbox extends SandboxAt {
    readonly fence: number;
}
/** The next step of a sandbox; null when it is where it should be. */
export declare function nextStep({ status, stopping, launched }: Sandbox): Step | null;
/** What the reconciler does with a sandbox that it has claimed. */
export declare class ReconcileSteps {
    private readonly settings;
    private readonly store;
    private readonly runtime;
    private readonly agentServers;
    private readonly log;
    constructor(settings: Settings, store: SandboxStore, runtime: SandboxRuntime, agentServers: AgentServers);
    /** Takes one step. A driver's own errors end in ERROR; others are thrown, for the job to try again. */
    take(step: Step, claimed: ClaimedSandbox): Promise<void>;
    private launch;
    private awaitAnswer;
    /** Makes sure that a sandbox that should be running is. */
    private verify;
    private pause;
    private delete;
    private failWithReason;
    /** ERROR while there is something to start again, else MISSING. */
    private fail;
}
