import { type ChildProcess, spawn } from 'node:child_process';
import type { NodeScript } from './kernel/common';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** After a signal, as shells have it. */
const SIGNALLED = 128;
const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/** The message of the service to its supervisor once it listens. */
export const READY = 'ready';

/**
 * Runs the service as a process of its own, and starts it again when it crashes: each time after twice as long, up to a
 * minute, until it has run for a minute. A start that fails is not repeated before one has succeeded: it has a reason that
 * somebody has to see to. Signals are passed on, and end both. The process ends as the service did.
 * @param program runs the service, and says {@link READY}
 */
export function keepRunning({ path, execArgv }: NodeScript): void {
  let service: ChildProcess | undefined;
  let hasBeenReady = false;
  let isStopping = false;
  let pauseMs = FIRST_PAUSE_MS;

  const start = (): void => {
    const beganAt = performance.now();
    service = spawn(process.execPath, [...process.execArgv, ...execArgv, path], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    service.on('message', (message) => (hasBeenReady ||= message === READY));
    service.once('exit', (code, signal) => {
      service = undefined;
      const isCrash = signal !== null || (hasBeenReady && code !== 0);
      if (isStopping || !isCrash) process.exit(code ?? SIGNALLED);
      if (performance.now() - beganAt > MAX_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      process.stderr.write(
        `The service ended (${signal ?? `exit code ${code}`}) and starts again in ${pauseMs / 1_000} s.\n`,
      );
      setTimeout(start, pauseMs);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    });
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isStopping = true;
      if (service === undefined) process.exit(SIGNALLED + NUMBERS[signal]);
      service.kill(signal);
    });
  start();
}
