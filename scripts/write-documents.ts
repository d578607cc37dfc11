import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './documents';

/** `npm run docs`: writes the documents that are generated from the code. */
for (const [name, text] of Object.entries(documents()))
  writeFileSync(join(__dirname, '..', 'docs', name), text);
