import 'reflect-metadata';
import { CommandError } from './operations/cli/command-error';
import { runCommand } from './operations/cli/command-line';
import { AppError, finishPausedParsers, messageOf, StartError } from './kernel/common';
import { SettingsError } from './kernel/config';

/** Errors whose message is a sentence for whoever runs a command. */
const KNOWN = [CommandError, StartError, SettingsError, AppError];

/** The message to print for a command that failed. */
async function describe(error: unknown): Promise<string> {
  if (KNOWN.some((kind) => error instanceof kind)) return messageOf(error);
  const { isDatabaseUnavailable } = await import('./kernel/database/index.ts');
  if (isDatabaseUnavailable(error)) return 'The database cannot be reached: check DATABASE_URL.';
  return `The command failed: ${messageOf(error)}`;
}

finishPausedParsers();
runCommand(process.argv.slice(2), process.env)
  .then((json) => end(process.stdout, json, process.exitCode ?? 0))
  .catch(async (error: unknown) => end(process.stderr, await describe(error), 1));

/** What an extension has begun, and cannot be ended, keeps no command from its end. */
function end(output: NodeJS.WriteStream, text: string, code: number | string): void {
  // A command that has printed by itself returns nothing; what it has printed is written first.
  output.write(text === '' ? '' : `${text}\n`, () => process.exit(code));
}
