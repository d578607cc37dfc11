import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'check-licences.mjs');

/** @returns what it prints; rejects with it where a licence is not allowed */
async function check(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args]);
  return stdout;
}

describe('the check of licences', () => {
  it('allows those of all packages that are installed', async () => {
    expect(await check()).toMatch(/^ +\d+ {2}MIT$/m);
  });

  it.each([
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['(GPL-3.0-only OR MIT)', true],
    [undefined, false],
  ])('of a package under %s: allowed is %s', async (license, allowed) => {
    const folder = await mkdtemp(join(tmpdir(), 'licences-'));
    try {
      const lock = join(folder, 'package-lock.json');
      await writeFile(lock, JSON.stringify({ packages: { '': {}, 'node_modules/other': { license } } }));
      const passed = await check(lock).then(
        () => true,
        () => false,
      );
      expect(passed).toBe(allowed);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
