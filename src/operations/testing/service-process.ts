import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Env } from './driver-under-test';

/** The service in a process of its own. */
export class ServiceProcess {
  private text = '';

  private constructor(private readonly child: ChildProcess) {}

  /**
   * Starts it and waits until it is ready.
   * @param program what Node.js runs
   * @param env settings; of this process's environment only PATH is inherited
   * @throws Error with its output when it ends before that
   */
  static async start(program: readonly string[], env: Env): Promise<ServiceProcess> {
    const child = spawn(process.execPath, program, {
      env: { PATH: process.env.PATH, ...env },
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

  /** Sends a signal and waits for the end; nothing happens when it has ended. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
