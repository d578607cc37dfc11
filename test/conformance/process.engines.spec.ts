import { embeddedAgentServerCommand } from '../../src/appliance/embedded-agent-server';
import { describeOwnDriver } from './driver-suite';
import { ofProcesses, openProcesses } from './process-fixture';

const { command, args } = embeddedAgentServerCommand();
const AGENT_SERVER_COMMAND = [command, ...args, '--own-user'].join(' ');

describeOwnDriver({
  ...ofProcesses,
  name: 'process',
  // Also of those that were started ahead.
  open: () => openProcesses('process', { AGENT_SERVER_COMMAND, SANDBOX_WARM: '2', LLM_MODEL: 'echo' }),
});
