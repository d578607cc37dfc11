import { join } from 'node:path';
import { ensurePython, type EnvironmentOptions, type PythonEnvironment } from './python-environment';

/**
 * The environment of the agent server that the tests run against.
 * @throws Error with a message to print
 */
export function ensureAgentServer(options: EnvironmentOptions = {}): Promise<PythonEnvironment> {
  return ensurePython(
    {
      title: 'agent server',
      packageName: 'openhands-agent-server',
      module: 'openhands.agent_server',
      command: 'agent-server',
      lockFile: join(__dirname, 'agent-server-requirements.txt'),
      size: '750 MB',
    },
    options,
  );
}

if (require.main === module) {
  ensureAgentServer().then(
    ({ command }) => console.log(command),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  );
}
