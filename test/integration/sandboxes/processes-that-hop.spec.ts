import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chmodSync, statSync } from 'node:fs';
import {
  endProcessesOf,
  newUser,
  usersOfProcesses,
} from '../../../src/sandboxes/drivers/users/sandbox-users';
import { eventually } from '../../support/eventually';

/** Each process starts another one and ends, for 20 s; each makes the file longer. */
const HOPS = `open F, '>>', $ARGV[0]; my $end = time + 20;
  while (time < $end) { my $pid = fork; exit if $pid; syswrite F, 'x' if defined $pid }`;

const asRoot = process.getuid?.() === 0 || process.env.CI !== undefined ? describe : describe.skip;

asRoot('processes of a sandbox that start another one and end', () => {
  it('are ended all the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ocs-hop-'));
    chmodSync(folder, 0o777);
    const file = join(folder, 'beats');
    const size = (): number => statSync(file).size;
    const uid = await newUser(new Set());
    for (let n = 0; n < 4; n++)
      spawnSync('perl', ['-e', `exit if fork; ${HOPS}`, file], { uid, gid: uid, stdio: 'ignore' });
    await eventually(() => expect(size()).toBeGreaterThan(100));
    expect(await endProcessesOf(uid)).toBe(true);
    const beats = size();
    // Meanwhile one that is left would have written thousands of times.
    for (let n = 0; n < 10; n++) expect(await usersOfProcesses()).not.toContain(uid);
    expect(size()).toBe(beats);
    await rm(folder, { recursive: true });
  });
});
