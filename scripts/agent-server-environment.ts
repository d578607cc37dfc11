import { join } from 'node:path';
import { chosenVersion } from './chosen-version';
import { ensurePython, type EnvironmentOptions, type PythonEnvironment } from './python-environment';

/** The versions of the agent server that are known to work, each with a lock file (docs/agent-servers.md). */
const VERSIONS = ['1.43.1', '1.58.2'] as const;

/**
 * The version of the agent server that tests run against: AGENT_SERVER_VERSION, the newest without.
 * @throws Error with a message to print
 */
export function agentServerVersion(environment: NodeJS.ProcessEnv = process.env): string {
  return chosenVersion('AGENT_SERVER_VERSION', VERSIONS, environment);
}

/**
 * The environment of the agent server that the tests run against.
 * @throws Error with a message to print
 */
export async function ensureAgentServer(options: EnvironmentOptions = {}): Promise<PythonEnvironment> {
  const version = agentServerVersion(options.environment);
  return ensurePython(
    {
      title: 'agent server',
      packageName: 'openhands-agent-server',
      module: 'openhands.agent_server',
      command: 'agent-server',
      lockFile: join(__dirname, 'agent-server-requirements', `${version}.txt`),
      size: '870 MB',
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
