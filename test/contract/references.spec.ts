import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const FOLDERS = ['src', 'test', 'bench', 'scripts', 'examples', 'docs'];
const READ = /\.(?:md|ts|[cm]?js)$/;

/** `docs/contract.md#queued-messages` in plain text, from the root of the repository. */
const PLAIN = /(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g;
/** What is, or looks like, a comment of TypeScript or JavaScript. */
const COMMENT = /\/\*.*?\*\/|\/\/[^\n]*/gs;
/** `[text](target)` in Markdown. */
const LINKED = /\]\(([^()\s]+)\)/g;
/** `src/main.ts` in Markdown: a file or a folder by its path from the root of the repository. */
const NAMED = /`((?:src|test|bench|scripts|examples|docs)\/[\w./-]+)`/g;
const NUMBERED = /\b(?:decisions|interface|design) \d/gi;

interface Source {
  readonly path: string;
  readonly text: string;
}

/** A link as it is written in a file, and where it leads. */
interface Reference {
  readonly from: string;
  readonly written: string;
  readonly path: string;
  readonly anchor: string | undefined;
}

const sources: readonly Source[] = [...FOLDERS.flatMap(filesOf), ...readdirSync(root).filter(isRead)].map(
  (path) => ({ path, text: readFileSync(join(root, path), 'utf8') }),
);

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => isRead(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path));
}

function isRead(path: string): boolean {
  return READ.test(path);
}

function referencesOf(source: Source): Reference[] {
  const isMarkdown = source.path.endsWith('.md');
  const prose = isMarkdown ? source.text : commentsOf(source);
  const plain = [...prose.matchAll(PLAIN)].map(([written]) => reference(source, written, written));
  return isMarkdown ? [...plain, ...linksOf(source)] : plain;
}

function commentsOf({ text }: Source): string {
  return [...text.matchAll(COMMENT)].map(([comment]) => comment).join('\n');
}

function linksOf(source: Source): Reference[] {
  return [...withoutCode(source.text).matchAll(LINKED)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? source.path : relative(root, join(root, dirname(source.path), path));
      return reference(source, target, anchor === undefined ? file : `${file}#${anchor}`);
    });
}

function reference({ path: from }: Source, written: string, target: string): Reference {
  const [path = '', anchor] = target.split('#');
  return { from, written, path, anchor };
}

/** Markdown without its blocks of code, in which `#` begins a comment. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^ *```.*?^ *```$/gms, '');
}

/** The anchors of a Markdown file's headings, as GitHub makes them: equal ones are numbered. */
function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, '')
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

function isResolved({ path, anchor }: Reference): boolean {
  const file = join(root, path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).has(anchor);
}

describe('references to the documents', () => {
  it('lead from code, comments and documents to a file and a heading that exist', () => {
    const references = sources.flatMap(referencesOf);
    expect(references.filter(({ from }) => from.startsWith('src')).length).toBeGreaterThan(100);
    expect(references.filter(({ from }) => from.startsWith('docs')).length).toBeGreaterThan(50);
    const broken = references.filter((each) => !isResolved(each));
    expect(new Set(broken.map(({ from, written }) => `${from}: ${written}`))).toEqual(new Set());
  });

  it('name files and folders in documents that exist', () => {
    const named = sources
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path: from, text }) => [...text.matchAll(NAMED)].map(([, path = '']) => ({ from, path })));
    expect(named.length).toBeGreaterThan(50);
    const gone = named.filter(({ path }) => !existsSync(join(root, path)));
    expect(gone.map(({ from, path }) => `${from}: ${path}`)).toEqual([]);
  });

  it('name what they mean instead of a number', () => {
    const numbered = sources.flatMap(({ path, text }) =>
      [...text.matchAll(NUMBERED)].map(([cited]) => `${path}: ${cited}`),
    );
    expect(numbered).toEqual([]);
  });

  it.each([
    ['## Queued messages', 'queued-messages'],
    ['### What is `index.ts` for, and why?', 'what-is-indexts-for-and-why'],
    ['# 0001: One process', '0001-one-process'],
    ['## One\n\n## One', 'one-1'],
  ])('reach the heading %j as GitHub names it', (markdown, anchor) => {
    expect(anchorsOf(markdown)).toContain(anchor);
  });

  it('find no heading in a block of code', () => {
    expect(anchorsOf('```sh\n# a comment\n```\n')).toEqual(new Set());
  });
});
