/** `npm run bench -- NAME [options]`: runs the benchmark of that name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const [name = ''] = process.argv.splice(2, 1);
const file = join(__dirname, `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) throw new Error(`There is no benchmark ${name}.`);
void import(file);
