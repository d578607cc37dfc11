import { mkdtempSync } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeDriver } from 'org-conversation-service/testing';
import { serverIn } from '../src/adapters/machine-processes';
import { homeOf, MACHINES } from '../src/adapters/machines.driver';

const dataDir = mkdtempSync(join(tmpdir(), 'machines-'));
const home = (id: string): string => homeOf(dataDir, id);

async function running(id: string): Promise<{ readonly pid: number; readonly port: number }> {
  const server = await serverIn(home(id));
  if (server === null) throw new Error(`Sandbox ${id} does not run.`);
  return server;
}

describeDriver(
  {
    name: MACHINES,
    workingDir: 'workspace/project',
    movesOnResume: false,
    isBehindDoor: false,
    open: () =>
      Promise.resolve({
        env: { SANDBOX_DRIVER: MACHINES, EXTENSIONS: './dist/src/extension.js', DATA_DIR: dataDir },
        host: '127.0.0.1',
        kill: async (id) => {
          process.kill((await running(id)).pid, 'SIGKILL');
        },
        runs: async (id) => (await serverIn(home(id))) !== null,
        remains: (id) =>
          access(home(id)).then(
            () => [home(id)],
            () => [],
          ),
        // What SANDBOX_HOST is by default on Linux.
        address: async (id) => `http://127.77.0.1:${(await running(id)).port}`,
        close: () => rm(dataDir, { recursive: true, force: true }),
      }),
  },
  { describe, it, beforeAll: before, afterAll: after },
);
