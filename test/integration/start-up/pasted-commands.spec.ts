import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../support/compiled/compiled-sources';
import {
  makeBuildFolder,
  makePackageFolder,
  type TemporaryFolder,
} from '../../support/terminal/build-folder';
import { pasteInto } from '../../support/terminal/paste';
import { ServiceTerminal } from '../../support/terminal/service-terminal';

describe('commands to be pasted', () => {
  let folder: TemporaryFolder;
  let terminal: ServiceTerminal;

  beforeAll(async () => {
    folder = await makeBuildFolder();
    terminal = ServiceTerminal.run('npm start', folder.path);
    await terminal.ready;
  });
  afterAll(async () => {
    await terminal.stop();
    await folder.remove();
  });

  const paste = (commands: string, enough?: string): Promise<string> =>
    pasteInto(folder.path, commands, enough);

  it('work from the banner of the first start: the key does, and the demo takes this service', async () => {
    const url = await terminal.ready;
    const output = await paste(terminal.commands);
    expect(output).toContain('"org_id":');
    expect(output).toContain(`The service that runs\n  API ${url}\n`);
    expect(output).toContain('What to try next');
  });

  it('work from the README: five calls, and the answers of the agent', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const [, calls = ''] = /## Five calls\n[^]*?```sh\n([^]*?)```/.exec(readme) ?? [];
    const here = calls.replace('http://127.0.0.1:3000', await terminal.ready);
    const output = await paste(here, 'Echo from the embedded agent server: And now this');
    expect(output).toContain('"org_id":');
    expect(output).toContain('"status":"WORKING"');
    // The first one may have been delivered already.
    expect(output).toMatch(/"position":[12]\b/);
    expect(output).toContain('Echo from the embedded agent server: Hello');
  });

  it('work from the banner of a later start, which issue a key', async () => {
    await terminal.stop();
    terminal = ServiceTerminal.run('npm start', folder.path);
    const url = await terminal.ready;
    const output = await paste(terminal.commands);
    expect(output).toContain('"org_id":');
    expect(output).toContain(`The service that runs\n  API ${url}\n`);
  });
});

describe('commands to be pasted where the service is a package of somebody', () => {
  it('work from the banner, and from the help', async () => {
    const folder = await makePackageFolder();
    const start = (): ServiceTerminal => ServiceTerminal.run('npx org-conversation-service', folder.path);
    let terminal = start();
    try {
      await terminal.ready;
      await terminal.stop();
      terminal = start();
      await terminal.ready;
      expect(terminal.output).not.toContain('npm run');
      expect(await pasteInto(folder.path, terminal.commands)).toContain('"org_id":');
      const help = await pasteInto(folder.path, 'npx org-conversation-service cli help');
      const [, describes = ''] = /^(.*) describes the options/m.exec(help) ?? [];
      const described = await pasteInto(folder.path, describes.replace('COMMAND', 'key:issue'));
      expect(described).toMatch(/^Usage: npx org-conversation-service cli key:issue --email/);
    } finally {
      await terminal.stop();
      await folder.remove();
    }
  });
});
