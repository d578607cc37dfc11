import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../../../src/operations/cli/command-line';
import { environmentOfNode, ROOT, scriptOf } from '../compiled/compiled-sources';

/** The passphrase of backups in tests. */
export const PASSPHRASE = 'a passphrase of the tests';

/** How a command ended. */
export interface CommandEnd {
  /** Its exit code, or the signal that ended it. */
  readonly code: number | string;
  readonly output: string;
  readonly errors: string;
}

/** A command of the command line in a process of its own. */
export class CliProcess {
  readonly ended: Promise<CommandEnd>;

  private constructor(readonly child: ChildProcess) {
    const out: string[] = [];
    const err: string[] = [];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text));
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) =>
        resolve({ code: code ?? signal ?? '', output: out.join(''), errors: err.join('') }),
      );
    });
  }

  /**
   * @param env settings; of this process's environment only PATH is inherited
   * @param before a program with its arguments that is to run the command
   */
  static start(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    before: readonly string[] = [],
  ): CliProcess {
    const { path, execArgv } = scriptOf(join(ROOT, 'src', 'cli'));
    const [program = '', ...rest] = [...before, process.execPath, ...execArgv, path, ...args];
    return new CliProcess(
      spawn(program, rest, {
        cwd: ROOT,
        env: { ...environmentOfNode(), BACKUP_PASSPHRASE: PASSPHRASE, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Runs a command to its end. @returns the object that it printed */
  static async run(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { code, output, errors } = await CliProcess.start(args, env).ended;
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${errors}`);
    return JSON.parse(output) as Record<string, unknown>;
  }

  /** Runs a command that is to fail. @returns what it said */
  static async failure(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    before: readonly string[] = [],
  ): Promise<string> {
    const { code, output, errors } = await CliProcess.start(args, env, before).ended;
    if (code !== 1 || output !== '') throw new Error(`${args[0]} ended with ${code}: ${output}${errors}`);
    return errors;
  }
}

/**
 * Runs a command to its end in this process, where a test is about what it does: a process of its own takes a second to
 * start.
 * @returns the object that it would print
 * @throws an error whose message it would print
 */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const printed = await runCommand(args, { BACKUP_PASSPHRASE: PASSPHRASE, ...env });
  return JSON.parse(printed) as Record<string, unknown>;
}
