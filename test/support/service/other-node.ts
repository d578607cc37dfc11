import { join } from 'node:path';
import { ROOT } from '../compiled/compiled-sources';

/** The environment of a program that takes its Node for another one. @param version that it reads */
export function otherNode(version: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--require ${join(ROOT, 'test', 'fixtures', 'other-node.cjs')}`,
    OTHER_NODE: version,
  };
}
