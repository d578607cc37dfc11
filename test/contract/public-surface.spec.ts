import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicSurface, undocumentedExports } from '../../scripts/public-surface/public-surface';

const FOLDER = join(__dirname, '..', '..', 'docs', 'api');

describe('what extensions can import', () => {
  it('is what docs/api records; run npm run api, and see docs/extending.md#versions for what the change means', () => {
    const recorded = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]);
    expect(Object.fromEntries(recorded)).toEqual(publicSurface());
  });

  it('says of each what it is', () => {
    expect(undocumentedExports()).toEqual([]);
  });
});
