import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Swaps a folder and a link in its working folder, as fast as it can, also when that folder has been moved away. */
const SWAP = `
  const fs = require('node:fs');
  const [home, victim] = process.argv.slice(1);
  const attempt = (step) => { try { step(); return true; } catch { return false; } };
  process.stdout.write('ready');
  for (let round = 0; ; round++) {
    if (round % 50 === 0) attempt(() => process.chdir(home));
    attempt(() => fs.symlinkSync(victim, 'link'));
    if (attempt(() => fs.renameSync('folder', 'aside')) && attempt(() => fs.renameSync('link', 'folder')))
      attempt(() => fs.renameSync('folder', 'link'));
    attempt(() => fs.renameSync('aside', 'folder'));
  }
`;

/** An attacker in a folder: `folder` in it is a link to another one every other moment. */
export class SwappingProcess {
  private constructor(private readonly child: ChildProcess) {}

  /**
   * @param home in which it swaps, and which may be made anew
   * @param victim where its links lead
   */
  static async start(uid: number, home: string, victim: string): Promise<SwappingProcess> {
    const child = spawn(process.execPath, ['-e', SWAP, home, victim], {
      uid,
      gid: uid,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return new SwappingProcess(child);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
