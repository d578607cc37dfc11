import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitCommand, GitProcesses } from '../../../src/agents/skills/fetch/git/git-processes';
import { eventually } from '../../support/eventually';
import { endAtOnce, helpersOf, processesIn } from '../../support/processes-in';

/** Longer than one argument may be. */
const TOO_LONG = 'x'.repeat(200_000);

describe('the processes of git', () => {
  let folder: string;
  let processes: GitProcesses;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'git-processes-'));
    await mkdir(join(folder, 'work'));
    processes = new GitProcesses();
  });
  afterEach(async () => {
    await processes.onModuleDestroy();
    await rm(folder, { recursive: true });
  });

  function run(args: readonly string[], more: Partial<GitCommand> = {}): Promise<unknown> {
    const env = { PATH: process.env.PATH ?? '' };
    return processes.run({
      args,
      env,
      cwd: join(folder, 'work'),
      signal: new AbortController().signal,
      ...more,
    });
  }

  it('have a lower priority than the process that starts them, which keeps its own', async () => {
    const own = getPriority(process.ppid);
    await run(['--version']);
    expect(getPriority()).toBe(own);
    const [helper = 0] = await helpersOf(process.pid);
    expect(getPriority(helper)).toBeGreaterThan(own);
  });

  it('are not ended by one that cannot be started', async () => {
    const [bad, good] = await Promise.allSettled([run([TOO_LONG]), run(['--version'])]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'git could not be started' } });
    expect(good).toMatchObject({ status: 'fulfilled', value: { ok: true } });
  });

  it('end with the process that starts them, also those that no network keeps waiting', async () => {
    await writeFile(join(folder, 'git'), '#!/bin/sh\n/bin/sleep 20 &\nwait\n', { mode: 0o755 });
    const settled = Promise.allSettled([run([], { env: { PATH: folder } })]);
    await eventually(async () =>
      expect((await processesIn(folder)).map(({ name }) => name)).toContain('sleep'),
    );
    for (const pid of await helpersOf(process.pid)) endAtOnce(pid);
    expect(await settled).toMatchObject([{ reason: { message: 'git was ended from outside' } }]);
    await eventually(async () => expect(await processesIn(folder)).toEqual([]));
  });
});
