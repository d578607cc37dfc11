import type { AgentServer } from '../../agent-server';
import type { SandboxView } from '../record/sandbox.ports';
/** A sandbox whose agent server can be reached. */
export type RunningSandbox = SandboxView & {
    readonly agentServer: AgentServer;
};
/**
 * Asserts that a sandbox can be reached.
 * @throws SandboxNotFoundError for one that is gone, SandboxFailedError, SandboxNotRunningError
 */
export declare function running(sandbox: SandboxView | null): RunningSandbox;
