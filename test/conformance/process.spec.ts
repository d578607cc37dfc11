import { embeddedAgentServerCommand } from '../../src/agent-server';
import { describeDriver } from './driver-suite';
import { describeAsRoot, openProcesses } from './process-fixture';

const { command, args } = embeddedAgentServerCommand();
const AGENT_SERVER_COMMAND = [command, ...args, '--own-user'].join(' ');

describeDriver({
  name: 'process',
  // Also of those that were started ahead.
  open: () => openProcesses('process', { AGENT_SERVER_COMMAND, SANDBOX_WARM: '2', LLM_MODEL: 'echo' }),
  describe: describeAsRoot,
  workingDir: '/workspace/project',
  movesOnResume: false,
  isBehindDoor: false,
  faults: {},
  isolatesNetwork: false,
  keepsKeysFromLookers: false,
  findsForgotten: false,
});
