import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from './driver-under-test';

const OWN_PROGRAM = [join(__dirname, '..', '..', 'main.js')];

/** Makes a folder for what a service keeps. */
export async function folderOfService(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  // PostgreSQL and sandboxes may have users of their own.
  await chmod(folder, 0o755);
  return folder;
}

/** The service in a process of its own, which can be killed. */
export class ServiceProcess {
  private text = '';

  private constructor(private readonly child: ChildProcess) {}

  /**
   * Starts it in the current folder and waits until it is ready.
   * @param settings its environment, of which only PATH is inherited; without `PORT`, it chooses one
   * @param program what Node.js runs: its own options and a file. Default: the program of this package
   * @throws Error with its output when it ends before that
   */
  static async start(settings: Env, program: readonly string[] = OWN_PROGRAM): Promise<ServiceProcess> {
    const child = spawn(process.execPath, program, {
      env: { PATH: process.env.PATH, PORT: '0', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new ServiceProcess(child);
    await new Promise<void>((ready, failed) => {
      const read = (part: string): void => {
        service.text += part;
        if (service.text.includes('The service is ready')) ready();
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
      child.once('error', failed);
      child.once('exit', () => failed(new Error(`The service ended at its start: ${service.text}`)));
    });
    return service;
  }

  /** What it has written so far. */
  get output(): string {
    return this.text;
  }

  /** Where callers reach it, without a slash at the end. */
  get url(): string {
    return /ready: API ([^,]+),/.exec(this.text)?.[1] ?? '';
  }

  /** Sends a signal, unless it has ended, and waits for the end. @returns the exit code; null after a signal that ended it */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill(signal);
      await ended;
    }
    return this.child.exitCode;
  }
}
