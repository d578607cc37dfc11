import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';
import { makeBuildFolder } from '../../support/terminal/build-folder';
import { ServiceTerminal } from '../../support/terminal/service-terminal';

describe('commands to be pasted', () => {
  let folder: Awaited<ReturnType<typeof makeBuildFolder>>;
  let terminal: ServiceTerminal;

  beforeAll(async () => {
    folder = await makeBuildFolder();
    terminal = ServiceTerminal.npmStart(folder.path);
    await terminal.ready;
  });
  afterAll(async () => {
    await terminal.stop();
    await folder.remove();
  });

  /**
   * Pastes commands into a shell of another terminal, which knows nothing of the service.
   * @param enough ends the last one, as Ctrl-C does, once its output has this
   * @returns what they print
   */
  async function paste(commands: string, enough?: string): Promise<string> {
    const shell = spawn('bash', ['--norc', '-ec', commands], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, HOME: folder.path },
      detached: true,
    });
    const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()));
    let output = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    if (enough !== undefined)
      try {
        await eventually(() => expect(output).toContain(enough));
      } finally {
        if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGINT');
      }
    await ended;
    return output;
  }

  /** The commands of the banner. */
  function commandsOfBanner(): string {
    const [, commands = ''] = / {2}Next .*:\n([^]*?) {2}Stop /.exec(terminal.output) ?? [];
    expect(commands).toContain('npm run demo');
    return commands;
  }

  it('work from the banner of the first start: the key does, and the demo takes this service', async () => {
    const url = await terminal.ready;
    const output = await paste(commandsOfBanner());
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
    expect(output).toContain('"position":2');
    expect(output).toContain('Echo from the embedded agent server: Hello');
  });

  it('work from the banner of a later start, which issue a key', async () => {
    await terminal.stop();
    terminal = ServiceTerminal.npmStart(folder.path);
    const url = await terminal.ready;
    const output = await paste(commandsOfBanner());
    expect(output).toContain('"org_id":');
    expect(output).toContain(`The service that runs\n  API ${url}\n`);
  });
});
