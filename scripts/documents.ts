import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { readSettings, settingsSchema } from '../src/kernel/config';
import { speedRows } from './speed-table';

const root = join(__dirname, '..');

/** The documents that are generated from the code and from what was measured, by their path from `docs`. */
export function documents(): Readonly<Record<string, string>> {
  return {
    'architecture.md': architecture(),
    'configuration.md': configuration(),
    'errors.md': errors(),
    '../README.md': readme(),
  };
}

const areasSchema = z.record(z.string(), z.object({ imports: z.array(z.string()) }));

/** The document as it is, with the picture of the areas as the rules of imports have them. */
function architecture(): string {
  const { areas } = createRequire(__filename)('../.dependency-cruiser.cjs') as { readonly areas: unknown };
  const imports = new Map(
    Object.entries(areasSchema.parse(areas)).map(([area, { imports }]) => [area, imports] as const),
  );
  const isBeyond = (area: string, other: string): boolean =>
    (imports.get(other) ?? []).some((next) => next === area || isBeyond(area, next));
  const arrows = [...imports].flatMap(([area, all]) =>
    all
      // What another arrow leads to as well is left out.
      .filter((one) => imports.has(one) && !all.some((other) => isBeyond(one, other)))
      .map((one) => `  ${area} --> ${one}`),
  );
  const text = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  return text.replace(/```mermaid\n[^`]*```/, ['```mermaid', 'flowchart TB', ...arrows, '```'].join('\n'));
}

/** The document as it is, with the table of its chapter on speed as the last measurements have it. */
function readme(): string {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  return text.replace(
    /(## Speed\n[^|]*)(?:\|.*\n)+/,
    (_, before: string) => `${before}${table(speedRows())}\n`,
  );
}

/** Every setting, from its declaration. */
function configuration(): string {
  const defaults: Readonly<Record<string, unknown>> = readSettings({});
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => [
    `\`${name}\``,
    shown(defaults[name]),
    schema.description ?? '',
  ]);
  return document(
    'Configuration',
    'All settings come from the environment; an empty variable counts as not set. They are checked at the start, which reports every problem in a line of its own. Written from `src/kernel/config/settings.ts` by `npm run docs`.',
    [['Setting', 'Default', 'Meaning'], ...rows],
  );
}

/** Every error, from the classes and the places that create them. */
function errors(): string {
  const rows = sources(join(root, 'src'))
    .flatMap(errorsOf)
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(({ status, code, when }) => [String(status), `\`${code}\``, when]);
  const unique = rows.filter((row, index) => rows.findIndex((other) => other[1] === row[1]) === index);
  return document(
    'Errors',
    'Every error but a 422 answers `{"detail": "<sentence>", "code": "<code>"}`; a 500 has an `error_id` too, which the log knows. A 422 answers `{"detail": [...]}` with every error in the request. 429 and 503 carry `Retry-After`, 401 carries `WWW-Authenticate`, 405 carries `Allow`. Written from the error classes by `npm run docs`.',
    [['Status', 'Code', 'When'], ...unique],
  );
}

interface ErrorKind {
  readonly status: number;
  readonly code: string;
  readonly when: string;
}

/** What declares an error of a fixed text, and what its class would extend. */
const MAKERS = new Set(['appError', 'oauthError']);
const BASES = new Set(['AppError', 'OAuthError']);

/** `appError(status, code, …)`, classes that call `super(status, code, …)`, and `new AppError(status, code, …)`. */
function errorsOf(file: string): ErrorKind[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: ErrorKind[] = [];
  const visit = (node: ts.Node, owner: ts.ClassDeclaration | undefined): void => {
    const inside = ts.isClassDeclaration(node) ? node : owner;
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword && inside)
      found.push(...kindOf(node.arguments, baseOf(inside), commentOf(inside, source)));
    if (ts.isVariableStatement(node)) {
      const call = node.declarationList.declarations[0]?.initializer;
      if (call && ts.isCallExpression(call) && MAKERS.has(call.expression.getText(source)))
        found.push(...kindOf(call.arguments, 'AppError', commentOf(node, source)));
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression))
      found.push(...kindOf(node.arguments ?? [], node.expression.text, null));
    ts.forEachChild(node, (child) => {
      visit(child, inside);
    });
  };
  visit(source, undefined);
  return found;
}

function kindOf(args: readonly ts.Expression[], base: string, comment: string | null): ErrorKind[] {
  const [first, second, third] = args;
  if (BASES.has(base) && first && ts.isNumericLiteral(first) && second && ts.isStringLiteral(second))
    return [{ status: Number(first.text), code: second.text, when: comment ?? sentence(third) }];
  if (base === 'ServiceUnavailableError' && first) {
    const code = second && ts.isStringLiteral(second) ? second.text : 'service_unavailable';
    return [{ status: 503, code, when: comment ?? sentence(first) }];
  }
  return [];
}

function sentence(node: ts.Expression | undefined): string {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : '';
}

function baseOf(declaration: ts.ClassDeclaration): string {
  return declaration.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '';
}

/** The docstring's first sentence, without the status it begins with. */
function commentOf(
  declaration: ts.ClassDeclaration | ts.VariableStatement,
  source: ts.SourceFile,
): string | null {
  const [doc] = ts.getJSDocCommentsAndTags(declaration);
  if (doc === undefined) return null;
  const text = doc
    .getText(source)
    .replaceAll(/^\/\*\*|\s*\*\/$|^\s*\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const when = text
    .replace(/^\d{3}[^:]*: /, '')
    .replace(/ \(docs\/[^)]*\)/g, '')
    .trim();
  return when.charAt(0).toUpperCase() + when.slice(1);
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .sort()
    .map((file) => join(folder, file));
}

function shown(value: unknown): string {
  if (value === undefined || value === '') return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '[]' ? 'none' : `\`${text}\``;
}

function document(title: string, introduction: string, rows: readonly (readonly string[])[]): string {
  return `# ${title}\n\n${introduction}\n\n${table(rows)}\n`;
}

function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (cells[0] ?? []).map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}
