import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..', '..');

it.each([
  ['exits', 'process.exit(0)'],
  ['fails', "process.once('uncaughtException', () => process.exit(0)); throw new Error('It failed.')"],
  ['ends', ''],
])('a process that %s in the middle of a turn loses no line of its log', async (_how, end) => {
  const program = `
    const { LogDestination } = require('./src/kernel/http/observability/log-destination');
    const log = new LogDestination();
    log.write('one\\n');
    log.write('two\\n');
    ${end}`;
  const args = ['--require', '@swc-node/register', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toBe('one\ntwo\n');
});
