import { join } from 'node:path';
import type { NodeScript } from '../../../src/common';
import { scriptOf } from './compiled-sources';

/** Replaces the service's own in tests: the script as it was compiled for this test run. */
export function findNodeScript(folder: string, name: string): NodeScript {
  return scriptOf(join(folder, name));
}
