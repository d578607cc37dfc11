import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicSurface } from './public-surface';

/** `npm run api`: writes the record of what extensions can import. */
const folder = join(__dirname, '..', '..', 'docs', 'api');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(publicSurface())) writeFileSync(join(folder, name), text);
