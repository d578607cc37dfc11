import type { Settings } from '../kernel/config';
import { checkAgentServerProgram } from './agent-server-program';
import { checkSandboxIsolation } from './isolation';
import { ControlGroups } from './launch/control-groups';
import { runsProcesses } from './listening-host';

export { callbackPortAdvice, checkListeningHost } from './listening-host';

/**
 * Checks what the driver of processes needs, and opens the control groups of its sandboxes. To be called before there are other
 * processes, PostgreSQL among them: a group that has some besides this one gets none below it.
 * @throws StartError
 */
export function checkProcessDriver(settings: Settings): void {
  checkSandboxIsolation(settings);
  checkAgentServerProgram(settings);
  if (runsProcesses(settings)) ControlGroups.ofHost();
}
