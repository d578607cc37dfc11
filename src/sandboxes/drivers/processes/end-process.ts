import { processSpace, signal, startOf, waitUntilGone } from '../../../common';
import type { Control } from './control-files';
import { DriverError } from '../../record/sandbox-driver';
import { endProcessesOf } from '../users/sandbox-users';

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
  const { pid, start, uid } = control;
  const own = pid !== null && (await isStillOf(pid, start)) ? pid : null;
  if (own !== null) {
    signal(own, 'SIGTERM');
    await waitUntilGone([own], termMs);
    signal(-own, 'SIGKILL');
  }
  // Also where no process was recorded: the user is the sandbox's own all the same.
  const isEnded = uid === null || (await endProcessesOf(uid));
  if (!isEnded || (own !== null && !(await waitUntilGone([own], KILL_MS))))
    throw new DriverError('The agent server of the sandbox cannot be ended.');
}

/** Whether no other process has the number by now; its group may outlive the process. */
async function isStillOf(pid: number, start: string | null): Promise<boolean> {
  const found = await startOf(pid);
  return found === null || found === start;
}
