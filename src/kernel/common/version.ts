import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package; the interface has its own (docs/contract.md#versioning). */
export const VERSION = readVersion(join(__dirname, '..', '..', '..', 'package.json'));

function readVersion(file: string): string {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof content === 'object' && content !== null && 'version' in content)
    if (typeof content.version === 'string') return content.version;
  throw new Error(`${file} names no version.`);
}
