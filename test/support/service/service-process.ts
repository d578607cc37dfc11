import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { environmentOfNode, ROOT, scriptOf } from '../compiled/compiled-sources';
import { nextPort } from './free-port';

/** How a service is started. */
export interface StartOptions {
  /** The user it runs as; default: that of the tests. */
  readonly uid?: number | undefined;
  /** The files of this process that it finds open, by the numbers they get there. */
  readonly inherited?: ReadonlyMap<number, number>;
  /** A command that runs it. */
  readonly prefix?: readonly string[];
}

/** The service in a process of its own, as `npm start` runs it. */
export class ServiceProcess {
  private readonly out: string[] = [];
  private readonly err: string[] = [];
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Its URL once it is listening; rejects with its output if it exits before that. */
  readonly ready: Promise<string>;

  private constructor(readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? ''));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.err.push(text));
    this.ready = new Promise((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        this.out.push(text);
        const url = /ready: API ([^,]+),/.exec(this.output)?.[1];
        if (url !== undefined) resolve(url);
      });
      void this.ended.then(() => reject(new Error(this.errors || this.output)));
    });
    this.ready.catch(() => undefined);
  }

  /**
   * Starts one on a free port.
   * @param env settings; of this process's environment only PATH is inherited
   */
  static start(env: Readonly<Record<string, string>>, options: StartOptions = {}): ServiceProcess {
    const { path, execArgv } = scriptOf(join(ROOT, 'src', 'main'));
    return new ServiceProcess(spawnNode([...execArgv, path], ROOT, env, options));
  }

  /**
   * Starts a build on a free port.
   * @param folder with `package.json`, `dist` and `node_modules`
   * @param env as of {@link start}
   */
  static startBuild(folder: string, env: Readonly<Record<string, string>>): ServiceProcess {
    return new ServiceProcess(spawnNode([join(folder, 'dist', 'main.js')], folder, env, {}));
  }

  /** Its standard output so far. */
  get output(): string {
    return this.out.join('');
  }

  /** Its standard error so far. */
  get errors(): string {
    return this.err.join('');
  }

  /** Sends a signal and waits for the exit. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Ends it at once. */
  async discard(): Promise<void> {
    await this.stop('SIGKILL');
  }
}

function spawnNode(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  { uid, inherited = new Map(), prefix = [] }: StartOptions,
): ChildProcess {
  const above = Array.from({ length: Math.max(3, ...inherited.keys()) - 2 }, (_, n) => inherited.get(n + 3));
  const [program = '', ...words] = [...prefix, process.execPath, ...args];
  return spawn(program, words, {
    cwd,
    env: { ...environmentOfNode(), PORT: `${nextPort()}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...above.map((file) => file ?? ('ignore' as const))],
    ...(uid !== undefined && { uid, gid: uid }),
  });
}
