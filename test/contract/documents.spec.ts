import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../../scripts/documents';

describe('the documents that are generated from the code', () => {
  it.each(Object.entries(documents()))('%s is up to date; run npm run docs when it is not', (name, text) => {
    expect(readFileSync(join(__dirname, '..', '..', 'docs', name), 'utf8')).toBe(text);
  });
});
