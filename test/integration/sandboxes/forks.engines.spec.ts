import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { SandboxService } from '../../support/agent-server/sandboxes';
import { eventually } from '../../support/eventually';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const isPossible = namespaceProblem() === null && hasPython;

describe('a program that says it is an agent server of Python and cannot be imported', () => {
  const run = isPossible || process.env.CI !== undefined ? it : it.skip;
  let folder: string;
  let service: SandboxService | undefined;

  afterEach(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  run('starts by itself, and the service says why once', async () => {
    folder = await mkdtemp(join(tmpdir(), 'forks-'));
    await chmod(folder, 0o755);
    const [script, program] = [join(folder, 'agent-server'), join(folder, 'agent-server.cjs')];
    await cp(join(__dirname, '../../support/agent-server/plain-agent-server.cjs'), program);
    const python = `exec python3 -c 'import os, sys; os.execv(sys.argv[1], sys.argv[1:])' "$@"`;
    await writeFile(script, `#!/bin/sh\n# openhands.agent_server\n${python}\n`, { mode: 0o755 });
    service = await SandboxService.start({
      AGENT_SERVER_COMMAND: `${script} ${process.execPath} ${program}`,
    });
    const log = join(service.dataDir, 'sandboxes', 'process', 'forks.log');
    await service.createRunning();
    await eventually(async () => expect(await readFile(log, 'utf8')).toMatch(/Error: /));
    await service.createRunning();
  });
});
