import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../../scripts/documents';

const DOCS = join(__dirname, '..', '..', 'docs');
/** Lists, not chapters. */
const LISTS = [...Object.keys(documents()), 'glossary.md'];

describe('the documents that are generated from the code', () => {
  it.each(Object.entries(documents()))('%s is up to date; run npm run docs when it is not', (name, text) => {
    expect(readFileSync(join(DOCS, name), 'utf8')).toBe(text);
  });
});

describe('each chapter', () => {
  const chapters = readdirSync(DOCS).filter((name) => name.endsWith('.md') && !LISTS.includes(name));
  it.each(chapters)('%s ends with what is known to be missing', (name) => {
    const headings = readFileSync(join(DOCS, name), 'utf8').match(/^## .*$/gm);
    expect(headings?.at(-1)).toBe('## Known limitations');
  });
});
