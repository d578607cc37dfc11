import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../compiled/compiled-sources';

/**
 * The commands of a section of a page in `docs`, in their order.
 * @param heading of the section
 */
export function commandsOf(page: string, heading: string): string {
  return blocksOf(page, heading).join('\n');
}

/** As {@link commandsOf}, by blocks: what is pasted at once. */
export function blocksOf(page: string, heading: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const blocks = [...(section ?? '').matchAll(/^( *)```sh\n(.*?)^ *```$/gms)];
  if (blocks.length === 0) throw new Error(`There are no commands in "${heading}" of ${page}.`);
  return blocks.map(([, , commands = '']) => commands);
}
