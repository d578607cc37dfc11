import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../start-error';

/** Older ones get no security fixes any more. */
const SUPPORTED_MAJOR = 22;

const packageSchema = z.object({ engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) });

/**
 * Fails on a Node that is too old, before code is loaded that it does not understand.
 * @throws StartError
 */
export function checkNodeVersion(): void {
  const file = join(__dirname, '..', '..', '..', '..', 'package.json');
  const { engines } = packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const [leastMajor = 0, leastMinor = 0] = numbersOf(engines.node.slice(2));
  const [major = 0, minor = 0] = numbersOf(process.versions.node);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new StartError(
    `Node ${leastMajor}.${leastMinor} or newer is needed, and this is ${process.versions.node} (${process.execPath}): ` +
      'install a newer one, run npm ci, and start again.',
  );
}

/**
 * What to tell the operator of a Node that the service runs on, but badly.
 * @param version of Node
 * @returns a sentence, or null where there is nothing to tell
 */
export function nodeAdvice(version: string): string | null {
  const [major = 0] = numbersOf(version);
  if (major >= SUPPORTED_MAJOR) return null;
  return `Node ${version} is out of support, and the service about half as fast with it: install Node 24.`;
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
