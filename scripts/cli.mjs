/** `npm run --silent cli -- COMMAND`. */
import { runBuilt } from './run-built.mjs';

await runBuilt('cli.js');
