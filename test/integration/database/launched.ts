import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { ask } from '../../support/database/ask';

const answerSchema = z.union([z.object({ url: z.string() }), z.object({ error: z.string() })]);

/** A launcher in a process of its own. */
export class Launched {
  private constructor(readonly child: ChildProcess) {}

  /** Starts one; `answer` says how that went. */
  static begin(mode: 'start' | 'connect', dataDir: string, uid?: number): Launched {
    const { path, execArgv } = scriptOf(join(__dirname, 'launcher-process'));
    const child = spawn(
      process.execPath,
      [...execArgv, path, mode, dataDir, ...(uid === undefined ? [] : [String(uid)])],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    return new Launched(child);
  }

  /** Starts one and waits for its address. */
  static async ready(mode: 'start' | 'connect', dataDir: string, uid?: number) {
    const launched = Launched.begin(mode, dataDir, uid);
    const answer = await launched.answer();
    if ('error' in answer) throw new Error(answer.error);
    return { launched, url: answer.url };
  }

  /** The first line it printed. */
  async answer(): Promise<z.infer<typeof answerSchema>> {
    const lines = this.child.stdout;
    if (lines === null) throw new Error('no output');
    let text = '';
    for await (const chunk of lines.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      if (text.includes('\n')) break;
    }
    return answerSchema.parse(JSON.parse(text));
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await ended;
  }
}

/** Repeats a query until it works. */
export async function askUntilAnswered(url: string, sql: string, ms = 30_000) {
  return until(() => ask(url, sql).catch(() => null), ms);
}

/** Polls until there is a value. */
export async function until<T>(probe: () => Promise<T | null>, ms = 30_000): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await probe();
    if (value !== null) return value;
    if (performance.now() > deadline) throw new Error('It did not happen in time.');
    await sleep(25);
  }
}

/** The process number in the server's pid file. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(pidFileOf(dataDir), 'utf8')).split('\n')[0]);
}

/** The server's pid file. */
export function pidFileOf(dataDir: string): string {
  return join(dataDir, 'postgres', 'data', 'postmaster.pid');
}
