/**
 * Prints the last two results of each measurement side by side: what `bench/results` has, and what it had before that was
 * measured, as git remembers it.
 *
 *   npm run bench -- compare [NAME…]
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FOLDER = join(__dirname, 'results');

const resultSchema = z.looseObject({
  measuredAt: z.string(),
  machine: z.looseObject({ node: z.string().optional(), loadBefore: z.number().optional() }),
});

type Result = z.infer<typeof resultSchema>;

function read(text: string): Result {
  return resultSchema.parse(JSON.parse(text));
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: FOLDER, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** The newest committed result that was measured at another time, or null. */
function previous(file: string, { measuredAt }: Result): Result | null {
  for (const commit of git('log', '--format=%H', '--diff-filter=AM', '--', file).split('\n')) {
    if (commit === '') continue;
    const result = read(git('show', `${commit}:./${file}`));
    if (result.measuredAt !== measuredAt) return result;
  }
  return null;
}

/** Every number of a result, by where it is: an item of a list by its own texts, such as the name of a request. */
function figures(value: unknown, path: readonly string[] = []): Map<string, number> {
  if (typeof value === 'number') return new Map([[path.join(' › '), value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  const found = new Map<string, number>();
  for (const [name, child] of Object.entries(value)) {
    const label = Array.isArray(value) ? labelOf(child, name) : name;
    for (const [key, figure] of figures(child, [...path, label])) found.set(unused(key, found), figure);
  }
  return found;
}

function labelOf(item: unknown, index: string): string {
  const texts = z.record(z.string(), z.unknown()).safeParse(item).data ?? {};
  return Object.values(texts).find((text) => typeof text === 'string') ?? index;
}

/** Items with the same texts are told apart by their order. */
function unused(key: string, taken: ReadonlyMap<string, number>): string {
  if (!taken.has(key)) return key;
  let n = 2;
  while (taken.has(`${key} (${n})`)) n++;
  return `${key} (${n})`;
}

/** When, on which Node, and how busy the machine was. */
function when({ measuredAt, machine }: Result): string {
  return `${measuredAt.slice(0, 16)}, Node ${machine.node ?? 'unknown'}, load ${machine.loadBefore ?? 'unknown'}`;
}

function print(name: string): void {
  const file = `${name}.json`;
  const last = read(readFileSync(join(FOLDER, file), 'utf8'));
  const before = previous(file, last);
  if (before === null) {
    process.stdout.write(`\n${name}: one result only (${when(last)})\n`);
    return;
  }
  process.stdout.write(`\n${name}\n  before: ${when(before)}\n  last:   ${when(last)}\n`);
  const [was, is] = [before, last].map(({ machine: _, ...measured }) => figures(measured));
  const rows = [...(is ?? [])].flatMap(([key, figure]) => {
    const old = was?.get(key);
    return old === undefined
      ? []
      : [[key, String(old), String(figure), old === 0 ? '' : (figure / old).toFixed(2)]];
  });
  const all = [['', 'before', 'last', 'last / before'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  for (const [key = '', ...numbers] of all) {
    const cells = numbers.map((cell, i) => cell.padStart(widths[i + 1] ?? 0));
    process.stdout.write(`  ${[key.padEnd(widths[0] ?? 0), ...cells].join('  ')}\n`);
  }
}

const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : names) {
  if (!names.includes(name)) throw new Error(`There is no result of ${name}.`);
  print(name);
}
