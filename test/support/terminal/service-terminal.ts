import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { environmentOfNode, ROOT, scriptOf } from '../compiled/compiled-sources';
import { eventually } from '../eventually';

/** The service on a pseudo-terminal, as a person starts it. */
export class ServiceTerminal {
  private text = '';
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Its URL once the banner is there; rejects with its output if it exits before that. */
  readonly ready: Promise<string>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? ''));
    });
    this.ready = new Promise((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', (part: string) => {
        this.text += part;
        const url = /^ {2}API +(\S+)[^]* {2}Stop .*\n/m.exec(this.output)?.[1];
        if (url !== undefined) resolve(url);
      });
      void this.ended.then(() => reject(new Error(this.output)));
    });
    this.ready.catch(() => undefined);
  }

  /**
   * Starts one on a free port.
   * @param env settings; of this process's environment only PATH is inherited
   */
  static start(env: Readonly<Record<string, string>>): ServiceTerminal {
    const { path, execArgv } = scriptOf(join(ROOT, 'src', 'main'));
    const words = [process.execPath, ...execArgv, path].map((word) => `'${word}'`);
    return new ServiceTerminal(spawnOnTerminal(`exec ${words.join(' ')}`, ROOT, env));
  }

  /** Runs a command that starts one, such as `npm start`, in a folder. */
  static run(command: string, folder: string, env: Readonly<Record<string, string>> = {}): ServiceTerminal {
    return new ServiceTerminal(spawnOnTerminal(`exec ${command}`, folder, env));
  }

  /** What is on the terminal so far, with plain line ends. */
  get output(): string {
    return this.text.replaceAll('\r\n', '\n');
  }

  /** The commands of the banner, to be pasted into another terminal. */
  get commands(): string {
    const [, commands] = / {2}Next .*:\n([^]*?) {2}Stop /.exec(this.output) ?? [];
    if (commands === undefined) throw new Error(`There are no commands: ${this.output}`);
    return commands;
  }

  /** Waits for a line. @returns the first that has the text */
  lineWith(text: string): Promise<string> {
    return eventually(() => {
      const found = this.output.split('\n').find((line) => line.includes(text));
      if (found === undefined) throw new Error(`No line has ${text}: ${this.output}`);
      return found;
    });
  }

  /** Presses Ctrl-C. @returns as {@link ended} */
  stop(): Promise<number | string> {
    this.child.stdin?.write('\u0003');
    return this.ended;
  }
}

function spawnOnTerminal(command: string, cwd: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...environmentOfNode(), HOME: cwd, TERM: 'xterm', SHELL: '/bin/sh', PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
