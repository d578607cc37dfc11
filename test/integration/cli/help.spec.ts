import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SERVICE_COMMANDS } from '../../../src/operations/extensions';
import { environmentOfNode, ROOT, scriptOf } from '../../support/compiled/compiled-sources';

/** Runs the command line without any setting. */
function cli(...args: string[]) {
  const { path, execArgv } = scriptOf(join(ROOT, 'src', 'cli'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [...execArgv, path, ...args], {
    encoding: 'utf8',
    env: { ...environmentOfNode(), DATABASE_URL: 'nonsense' },
  });
  return { status, stdout, stderr };
}

describe('the help of the command line', () => {
  it.each([['help'], ['--help'], ['-h']])('lists every command, for %s', (word) => {
    const { status, stdout, stderr } = cli(word);
    expect([status, stderr]).toEqual([0, '']);
    for (const name of SERVICE_COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +\\w.*\\.$`, 'm'));
  });

  it.each([
    ['help', 'key:issue'],
    ['key:issue', '--help'],
    ['key:issue', '--email', 'a@b.c', '-h'],
  ])('describes one command with its options, for %s %s', (...args) => {
    const { status, stdout, stderr } = cli(...args);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'Usage: npm run --silent cli -- key:issue [--email …] [--owner] [--org …] [--expires-at …] [--scopes …] [--addresses …] [--field …]',
      'Issues a key to a user.',
      '',
      ...['email …', 'owner', 'org …', 'expires-at …', 'scopes …', 'addresses …', 'field …'].map(
        (option) => expect.stringMatching(new RegExp(`^  --${option} +\\w`)) as string,
      ),
      '',
    ]);
  });

  it('is what a wrong command leads to', () => {
    for (const args of [['help', 'nothing'], ['nothing', '--help'], []]) {
      const { status, stdout, stderr } = cli(...args);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^There is no command .* Try npm run --silent cli -- help\.\n$/);
    }
  });
});
