import { DataSource } from 'typeorm';
import { type Settings } from '../../../config';
import { AgentServers } from '../../access/agent-servers';
import { SandboxRuntime } from '../../access/sandbox-runtime';
import { SandboxStore } from '../../record/sandbox-store';
import type { Sandbox } from '../../record/sandbox.entity';
import { SandboxDesiredState } from '../desired-state/sandbox-desired-state';
/** Compares one sandbox with its desired state, and has the reconciler close the gap. */
export declare class SandboxInspection {
    private readonly settings;
    private readonly database;
    private readonly store;
    private readonly desired;
    private readonly runtime;
    private readonly agentServers;
    private readonly log;
    /** Sandboxes whose key this process has checked; for them a health check is enough from then on. */
    private readonly recognized;
    constructor(settings: Settings, database: DataSource, store: SandboxStore, desired: SandboxDesiredState, runtime: SandboxRuntime, agentServers: AgentServers);
    /** @param now when the sandbox was read, by the database's clock */
    inspect(sandbox: Sandbox, now: Date): Promise<void>;
    private reconcileOrGiveUp;
    /** Has the key of a sandbox checked again at its next inspection: another server may answer for it. */
    forget(id: string): void;
    private inspectRunning;
    /** A server that was not started here may come back by itself; who used it lately need not ask for it. */
    private reviveWhenBack;
    private isAnswering;
    private pauseWhenIdle;
    /** As the agent server says; null when it cannot. A tool may run for long without a sign of it. */
    private idleSeconds;
    private isIdle;
}
