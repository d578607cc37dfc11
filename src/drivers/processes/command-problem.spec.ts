import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canHaveUsers } from '../isolation';
import { namespaceProblem } from '../launch/namespaces';
import { newUser } from '../sandbox-users';
import { commandProblem } from './command-problem';

const SETTING = { setting: 'AGENT_SERVER_COMMAND', environment: {}, uid: null };

/** Runs only where its environment has nothing but what it names. */
const SECRETS = `test -n "$PATH" && test "$OWN" = mine && test "\${SECRET_KEY+set}\${DATABASE_URL+set}" = ""`;

describe('the program of agent servers', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  const runs = (script: string, uid: number | null = null) =>
    commandProblem({
      ...SETTING,
      command: ['sh', '-c', script],
      environment: { OWN: 'mine' },
      uid,
      isIsolated: uid !== null,
    });

  it('is asked for help without the secrets of the service', async () => {
    process.env.SECRET_KEY = process.env.DATABASE_URL = 'private';
    expect(await runs(SECRETS)).toBeNull();
  });

  it('is asked in an empty folder, which is its home', async () => {
    expect(await runs(`test "$PWD" = "$HOME" && test -z "$(ls -A)" && touch kept`)).toBeNull();
  });

  it('is a problem that names the setting, and what it said, when it does not run', async () => {
    const change = expect.stringContaining('AGENT_SERVER_COMMAND') as string;
    expect(await runs('exit 3')).toEqual({
      isFatal: true,
      change,
      says: 'sh -c exit 3 does not run: it ended with 3',
    });
    expect(await runs('echo first >&2; echo broken >&2; exit 1')).toMatchObject({
      says: expect.stringMatching(/does not run: broken$/) as string,
    });
  });

  (canHaveUsers() && namespaceProblem() === null ? describe : describe.skip)(
    'where sandboxes have users',
    () => {
      let folder: string;
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'of-the-service-'));
      });
      afterEach(() => rm(folder, { recursive: true }));

      it('is asked as one of them, which reads nothing of the service and gains no rights', async () => {
        const uid = await newUser(new Set());
        const rights = `grep -q "^NoNewPrivs:.*1" /proc/self/status && test "$(id -G)" = ${uid}`;
        const script = `test "$(id -u)" = ${uid} && ${rights} && touch "$HOME/own" && ! ls ${folder} 2>/dev/null`;
        expect(await runs(script, uid)).toBeNull();
        expect(await runs(`ls ${folder}`, uid)).toMatchObject({
          says: expect.stringMatching(/Permission denied|No such file/) as string,
        });
      });

      it('leaves no process behind', async () => {
        const uid = await newUser(new Set());
        expect(await runs(`sleep 3600 >/dev/null 2>&1 & echo $!`, uid)).toBeNull();
        const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
        const owners = await Promise.all(processes.map((pid) => stat(`/proc/${pid}`).catch(() => null)));
        expect(owners.map((entry) => entry?.uid)).not.toContain(uid);
      });

      it('is a problem where it is not there', async () => {
        const command = ['no-such-agent-server'];
        const asked = { ...SETTING, command, uid: await newUser(new Set()), isIsolated: true };
        expect(await commandProblem(asked)).toMatchObject({
          says: expect.stringContaining('ENOENT') as string,
        });
      });
    },
  );
});
