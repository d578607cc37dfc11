import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startOf } from '../../src/kernel/common';
import type { Env } from '../../src/operations/testing';
import type { OwnDriver, OwnFixture } from './driver-under-test';

const note = z.object({ pid: z.number().nullable(), start: z.string().nullable(), port: z.number() });

/** Sandboxes with users of their own, and commands: the tests need root for that. */
const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

/** What all drivers have in common whose sandboxes are processes of this host. */
export const ofProcesses = {
  describe: describeAsRoot,
  workingDir: '/workspace/project',
  movesOnResume: false,
  isBehindDoor: false,
  logs: { say: /listens on/, stay: true },
  faults: {},
  isolatesNetwork: true,
  keepsKeysFromLookers: false,
  findsForgotten: false,
} as const satisfies Omit<OwnDriver, 'name' | 'open'>;

/** A folder for sandboxes that are processes of this host. @param env settings of the service beside the driver's name */
export async function openProcesses(driver: string, env: Env = {}): Promise<OwnFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), 'processes-'));
  await chmod(dataDir, 0o755);
  const folder = join(dataDir, 'sandboxes', driver);
  const noteOf = async (id: string) =>
    note.parse(JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')));
  return {
    host: '127.0.0.1',
    forbidden: [],
    env: { SANDBOX_DRIVER: driver, DATA_DIR: dataDir, ...env },
    kill: async (id) => {
      const { pid } = await noteOf(id);
      if (pid === null) throw new Error(`Sandbox ${id} has no process.`);
      process.kill(pid, 'SIGKILL');
    },
    runs: async (id) => {
      const { pid, start } = await noteOf(id);
      return pid !== null && (await startOf(pid)) === start;
    },
    remains: async (id) => (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(id)),
    address: async (id) => `http://127.77.0.1:${(await noteOf(id)).port}`,
    close: () => rm(dataDir, { recursive: true, force: true }),
  };
}
