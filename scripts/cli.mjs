/** `npm run --silent cli -- COMMAND`. */
import { runBuilt } from './built.mjs';

await runBuilt('cli.js');
