import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * When this process ends, even by Ctrl-C or `kill -9`: ends what of the run still lives, and removes the folder. The
 * database of the run has a watchdog of its own, which lets it shut down before.
 */
const WATCHDOG = `
read -r _
i=0; while ls "$1"/*/postgres/data/postmaster.pid >/dev/null 2>&1 && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done
grep -lsF "$1/" /proc/[0-9]*/environ | cut -d / -f 3 | xargs -r kill -9 2>/dev/null
grep -sF " $1/" /proc/mounts | cut -d ' ' -f 2 | sort -r | xargs -r umount -l
rm -rf "$1"
`;

let folder: string | undefined;

/** Makes the folder of a test run, in which from now on all temporary files are made: this process's, and its workers'. */
export async function openRunFolder(): Promise<void> {
  // Paths of sockets are short.
  folder = await mkdtemp(join(tmpdir(), 'tests-'));
  // Sandboxes and databases run as users of their own when the tests run as root.
  await chmod(folder, 0o755);
  const watchdog = spawn('sh', ['-c', WATCHDOG, 'watchdog', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  process.env.TMPDIR = folder;
}

/** Removes it; safe to call if it was never made. */
export async function removeRunFolder(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
