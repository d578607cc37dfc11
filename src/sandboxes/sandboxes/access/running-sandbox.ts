import type { AgentServer } from '../../agent-server';
import type { SandboxView } from '../record/sandbox-view';
import { SandboxFailedError, SandboxNotFoundError, SandboxNotRunningError } from '../record/sandboxes.errors';

/** A sandbox whose agent server can be reached. */
export type RunningSandbox = SandboxView & { readonly agentServer: AgentServer };

/**
 * Asserts that a sandbox can be reached.
 * @throws SandboxNotFoundError for one that is gone, SandboxFailedError, SandboxNotRunningError
 */
export function running(sandbox: SandboxView | null): RunningSandbox {
  if (sandbox === null || sandbox.status === 'MISSING') throw new SandboxNotFoundError();
  if (sandbox.stopping) throw new SandboxNotRunningError('STOPPING', sandbox.id);
  if (sandbox.status === 'ERROR') throw new SandboxFailedError();
  const { agentServer } = sandbox;
  if (sandbox.status !== 'RUNNING' || agentServer === null)
    throw new SandboxNotRunningError(sandbox.status, sandbox.id);
  return { ...sandbox, agentServer };
}
