/** `npm run check`: runs all checks of the code in parallel, and prints the output of each when it has ended. */
import { spawn } from 'node:child_process';

const CHECKS = ['lint', 'typecheck', 'format:check', 'imports'];

/** @param {string} name of a script of package.json */
function run(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout.on('data', (part) => output.push(part));
    child.stderr.on('data', (part) => output.push(part));
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all(CHECKS.map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
