import 'reflect-metadata';
import { CommandError } from './operations/cli/command-option';
import { runCommand } from './operations/cli/command-line';
import { finishPausedParsers, messageOf, StartError } from './kernel/common';
import { SettingsError } from './kernel/config';
import { isDatabaseUnavailable } from './kernel/database';

/** The message to print for a command that failed. */
function describe(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartError || error instanceof SettingsError)
    return error.message;
  if (isDatabaseUnavailable(error)) return 'The database cannot be reached: check DATABASE_URL.';
  return `The command failed: ${messageOf(error)}`;
}

finishPausedParsers();
runCommand(process.argv.slice(2), process.env)
  .then((json) => {
    process.stdout.write(`${json}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  });
