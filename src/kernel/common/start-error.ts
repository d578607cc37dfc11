import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The service cannot start, for a reason the operator can fix. The message is printed without a stack trace. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An extension failed, for a reason of its own: the message names it, and what it threw is the cause, for the log. */
export class ExtensionError extends StartError {}

const packageSchema = z.object({ engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) });

/**
 * Fails on a Node that is too old, before code is loaded that it does not understand.
 * @throws StartError
 */
export function checkNodeVersion(): void {
  const file = join(__dirname, '..', '..', '..', 'package.json');
  const { engines } = packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const [leastMajor = 0, leastMinor = 0] = numbersOf(engines.node.slice(2));
  const [major = 0, minor = 0] = numbersOf(process.versions.node);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new StartError(
    `Node ${leastMajor}.${leastMinor} or newer is needed, and this is ${process.versions.node} (${process.execPath}): ` +
      'install a newer one, run npm ci, and start again.',
  );
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
