import { join } from 'node:path';
import { ensurePython, type EnvironmentOptions, type PythonEnvironment } from './python-environment';

const NEWEST = '1.58.2';

/** The versions of the agent server that are known to work, each with a lock file (docs/agent-servers.md). */
const VERSIONS = ['1.43.1', NEWEST];

/**
 * The version of the agent server that tests run against: AGENT_SERVER_VERSION, the newest without.
 * @throws Error with a message to print
 */
export function agentServerVersion(environment: NodeJS.ProcessEnv = process.env): string {
  const wanted = environment['AGENT_SERVER_VERSION'];
  if (wanted === undefined || wanted === '') return NEWEST;
  if (VERSIONS.includes(wanted)) return wanted;
  throw new Error(`AGENT_SERVER_VERSION is ${wanted}; known are ${VERSIONS.join(' and ')}.`);
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
