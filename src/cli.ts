import 'reflect-metadata';
import { CommandError } from './cli/command-error';
import { runCommand } from './cli/command-line';
import { StartError } from './common';
import { SettingsError } from './config';
import { isDatabaseAway } from './database';

/** What a person is told about a command that failed. */
function sentenceOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartError || error instanceof SettingsError)
    return error.message;
  if (isDatabaseAway(error)) return 'The database cannot be reached: check DATABASE_URL.';
  return `The command failed: ${error instanceof Error ? error.message : String(error)}`;
}

runCommand(process.argv.slice(2), process.env)
  .then((json) => {
    process.stdout.write(`${json}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  });
