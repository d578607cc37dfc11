import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../../../src/operations/cli/command-line';
import { SERVICE_COMMANDS } from '../../../src/operations/extensions';
import { environmentOfNode, ROOT, scriptOf } from '../../support/compiled/compiled-sources';

/** None that a command could use. */
const SETTINGS = { DATABASE_URL: 'nonsense' };

/** Says at the end of a process which parts of the service it has loaded that help needs nothing of. */
const LISTING_LOADED = `
  process.on('exit', () => {
    const loaded = Object.keys(require.cache).filter((path) => /typeorm|app\\.module/.test(path));
    process.stderr.write(loaded.join(' '));
  });`;

/** Runs the command line in a process of its own. */
function cli(...args: string[]) {
  const { path, execArgv } = scriptOf(join(ROOT, 'src', 'cli'));
  const script = `${LISTING_LOADED} process.argv.splice(1, 0, ''); require(${JSON.stringify(path)});`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...execArgv, '--eval', script, '--', ...args],
    {
      encoding: 'utf8',
      env: { ...environmentOfNode(), ...SETTINGS },
    },
  );
  return { status, stdout, stderr };
}

describe('the help of the command line', () => {
  it.each([['help'], ['--help'], ['-h']])('lists every command, for %s', async (word) => {
    const text = await runCommand([word], SETTINGS);
    for (const name of SERVICE_COMMANDS) expect(text).toMatch(new RegExp(`^  ${name} +\\w.*\\.$`, 'm'));
  });

  it.each([
    ['help', 'key:issue'],
    ['key:issue', '--help'],
    ['key:issue', '--email', 'a@b.c', '-h'],
  ])('describes one command with its options, for %s %s', async (...args) => {
    const text = await runCommand(args, SETTINGS);
    expect(text.split('\n')).toEqual([
      'Usage: npm run --silent cli -- key:issue [--email …] [--owner] [--org …] [--expires-at …] [--scopes …] [--addresses …] [--field …]',
      'Issues a key to a user.',
      '',
      ...['email …', 'owner', 'org …', 'expires-at …', 'scopes …', 'addresses …', 'field …'].map(
        (option) => expect.stringMatching(new RegExp(`^  --${option} +\\w`)) as string,
      ),
    ]);
  });

  it('is what a wrong command leads to', async () => {
    for (const args of [['help', 'nothing'], ['nothing', '--help'], []])
      await expect(runCommand(args, SETTINGS)).rejects.toThrow(
        /^There is no command .* Try npm run --silent cli -- help\.$/,
      );
  });

  it('is printed by a program that has not loaded the service for it', () => {
    const { status, stdout, stderr } = cli('help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}key:issue +Issues a key to a user\.$/m);
    const wrong = cli('nothing');
    expect([wrong.status, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toMatch(/^There is no command .*\n$/);
  });
});
