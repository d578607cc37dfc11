import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../src/kernel/common';
import { ROOT } from '../support/compiled/compiled-sources';
import { describeWithEngine } from '../support/containers/container-engine';
import { ServiceContainer } from '../support/containers/service-container';
import { imagesEngine } from '../support/containers/service-images';
import { ConversationClient } from '../support/service/conversation-client';
import { call } from '../support/service/http';

/**
 * Makes those of the README against a container, but for the stream, which does not end.
 * @returns the key that it issues, and the id of its conversation
 * @throws with what was done and what the container has logged, where a call fails or has no answer for two minutes
 */
async function fiveCalls(container: ServiceContainer): Promise<{ key: string; id: string }> {
  const { name, url } = container;
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [, section = ''] = /## Five calls\n([^]*?)\n## /.exec(readme) ?? [];
  const script = [...section.matchAll(/```sh\n([^]*?)```/g)]
    .map(([, commands = '']) => commands)
    .join('')
    .replaceAll(
      /npm run --silent cli --/g,
      `docker -H ${imagesEngine().address} exec ${name} node dist/cli.js`,
    )
    .replace(/API=\S+/, `API=${url}`)
    .replace(/^curl -sN .*$/m, 'echo "$KEY $ID"')
    .replaceAll('curl -s', 'curl --max-time 120 -s');
  const { stdout } = await promisify(execFile)('sh', ['-euxc', script]).catch(async (cause: unknown) => {
    throw new Error(`${messageOf(cause)}\n${await container.logs()}`, { cause });
  });
  const [key = '', id = ''] = stdout.trim().split('\n').at(-1)?.split(' ') ?? [];
  return { key, id };
}

describeWithEngine(
  'the image with a read-only file system, without rights, and with its own database',
  () => {
    let container: ServiceContainer;
    beforeAll(async () => {
      container = await ServiceContainer.start('hardened');
    });

    it('uses the database where the image has it, and writes to its volume and /tmp only', async () => {
      expect(await container.exec('id', '-u')).not.toBe('0');
      expect(await container.exec('ls', '/data')).toContain('postgres.json');
      expect(await container.exec('sh', '-c', 'ls -d /data/postgresql-* 2>/dev/null || true')).toBe('');
      for (const path of ['/home/node/x', '/var/tmp/x'])
        await expect(container.exec('touch', path)).rejects.toThrow(/read-only file system/i);
      await expect(container.exec('touch', '/app/dist/main.js')).rejects.toThrow(/denied|read-only/i);
      await container.exec('touch', '/tmp/x', '/data/x');
      expect(await container.exec('git', '--version')).toMatch(/^git version 2\.3/);
    });

    it('names commands in its help that it has', async () => {
      const help = await container.exec('node', 'dist/cli.js', 'help');
      const [, describes = ''] = /^(.*) describes the options/m.exec(help) ?? [];
      const described = await container.exec('sh', '-c', describes.replace('COMMAND', 'key:issue'));
      expect(described).toMatch(/^Usage: node dist\/cli\.js key:issue \[--email/);
    });

    it('names commands on a terminal that it has', async () => {
      const onTerminal = await ServiceContainer.start('terminal', ['--tty']);
      await onTerminal.stop(5);
      await onTerminal.startAgain();
      const [, issue = ''] = /KEY=\$\((.*)\)/.exec(await onTerminal.logs()) ?? [];
      const key = await onTerminal.exec('sh', '-c', issue);
      expect((await call(onTerminal, 'GET', '/api/keys/current', { key })).status).toBe(200);
      expect(await onTerminal.logs()).not.toContain('npm run');
    });

    it('says that it is healthy', async () => {
      await container.becomes('healthy');
    });

    it('answers the five calls of the README, and keeps the conversation when it is stopped', async () => {
      const { key, id } = await fiveCalls(container);
      const answers = (): Promise<string[]> => new ConversationClient(container, key).texts(id, 'agent', 2);
      const before = await answers();
      expect(before).toEqual([expect.stringContaining('Hello'), expect.stringContaining('And now this')]);

      expect(await container.stop(60)).toBe(0);
      await container.startAgain();
      expect(await answers()).toEqual(before);
    });
  },
);
