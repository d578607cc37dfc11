import { commandOfNamespace, processSpace, signal, startOf, waitUntilGone } from '../../kernel/common';
import type { Control } from './control-files';
import { DriverError } from '../../sandboxes/driver-port';
import { killAllOf } from '../sandbox-users';

/** What an agent server is given to end by itself: it hands over the events it still has. */
const TERM_MS = 8_000;
const KILL_MS = 5_000;

/**
 * Ends the process of a sandbox, politely first, and then what it left behind.
 * @param control as recorded when it was started; null when it never was
 * @param termMs how long it may take to end by itself
 * @throws DriverError when it cannot be ended
 */
export async function endProcess(control: Control | null, termMs = TERM_MS): Promise<void> {
  if (control?.space !== (await processSpace())) return;
  const { pid, start, uid, isolation } = control;
  if (pid !== null && (await isStillOf(pid, start))) {
    // All around it end at once, and end it with them.
    const agentServer = isolation === 'namespaces' ? await commandOfNamespace(pid) : pid;
    if (agentServer !== null) {
      signal(agentServer, 'SIGTERM');
      await waitUntilGone([pid], termMs);
    }
    // The first process of a namespace is gone when all others are.
    signal(isolation === 'namespaces' ? pid : -pid, 'SIGKILL');
    if (!(await waitUntilGone([pid], KILL_MS)))
      throw new DriverError('The agent server of the sandbox cannot be ended.');
  }
  // What an earlier version left, whose sandboxes had no namespaces.
  if (uid !== null && isolation !== 'namespaces') await killAllOf(uid);
}

/** Whether no other process has the number by now; its group may outlive the process. */
async function isStillOf(pid: number, start: string | null): Promise<boolean> {
  const found = await startOf(pid);
  return found === null || found === start;
}
