import { existsSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../support/compiled/compiled-sources';
import { makeBuildFolder, type TemporaryFolder } from '../../support/terminal/build-folder';
import { freePort } from '../../support/service/free-port';
import { pasteInto } from '../../support/terminal/paste';
import { ServiceTerminal } from '../../support/terminal/service-terminal';

const DOCS = join(ROOT, 'docs');

/** The tests of commands that need more than a running service, or end it. */
const RUN_ELSEWHERE: readonly (readonly [commands: RegExp, test: string])[] = [
  [/\bdocker\b/, 'test/image/deployment.long.e2e-spec.ts'],
  [/\bkubectl\b/, 'test/integration/kubernetes/deploy.engines.spec.ts'],
  [/\bpromtool\b/, 'test/integration/health/ops-files.spec.ts'],
  [/^cd "\$(NEW|OLD)"|^ *curl .*\/ready"$/, 'test/integration/backup/upgrading.replicas.long.spec.ts'],
  [/\bcli -- restore\b|^age /, 'test/integration/backup/whole-life.replicas.spec.ts'],
  [/^while sleep .*\/ready; done$/, 'test/e2e/replicas/rolling-restart.replicas.spec.ts'],
  [/^npm pack$/m, 'test/package/package.e2e-spec.ts'],
  [/^npm run openapi && npm run docs\b/, 'test/contract/walkthrough.spec.ts'],
  [/^openapi-python-client\b/, 'test/clients/python-client.ts'],
  [/\bMIGRATION_DATABASE_URL=/, 'test/integration/database/two-roles.replicas.spec.ts'],
  [/\bextension:remove\b/, 'test/integration/extensions/removal.spec.ts'],
];

/** The commands of a document, block by block. */
async function commandsOf(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(/^ *```sh\n([^]*?)```$/gm)].map(([, commands = '']) => commands.trim());
}

/** Has the shell fail where the service refuses a call. */
const STRICTLY = 'curl() { command curl --fail-with-body "$@"; }\n';

describe('commands to be pasted', () => {
  let folder: TemporaryFolder;
  let terminal: ServiceTerminal;
  let backEnd: string;

  beforeAll(async () => {
    folder = await makeBuildFolder();
    backEnd = `127.0.0.1:${await freePort()}`;
    terminal = ServiceTerminal.run('npm start', folder.path, {
      // Whom no later command or start is told.
      BOOTSTRAP_EMAIL: 'me@own.example',
      WEBHOOK_ALLOWED_HOSTS: backEnd,
    });
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

  /** The block of the README after which all commands work, and the one behind it. */
  const calls = async (): Promise<readonly [setUp: string, more: string]> => {
    const blocks = await commandsOf(join(ROOT, 'README.md'));
    const [setUp = '', more = ''] = blocks.slice(
      blocks.findIndex((block) => block.startsWith('export API=')),
    );
    return [STRICTLY + setUp.replace('http://127.0.0.1:3000', await terminal.ready), more];
  };

  it('work from the README: five calls, and the answers of the agent', async () => {
    const [setUp, more] = await calls();
    const output = await paste(`${setUp}\n${more}`, 'Echo from the embedded agent server: And now this');
    expect(output).toContain('"status":"WORKING"');
    // The first one may have been delivered already.
    expect(output).toMatch(/"position":[12]\b/);
    expect(output).toContain('Echo from the embedded agent server: Hello');
  });

  it('work from every chapter, after the block of the README', async () => {
    const chapters = (await readdir(DOCS)).filter((name) => name.endsWith('.md'));
    const blocks = (await Promise.all(chapters.map((name) => commandsOf(join(DOCS, name))))).flat();
    for (const [, test] of RUN_ELSEWHERE) expect([test, existsSync(join(ROOT, test))]).toEqual([test, true]);
    const here = blocks.filter((block) => !RUN_ELSEWHERE.some(([commands]) => commands.test(block)));
    expect(here.length).toBeGreaterThan(4);
    const [endless, others] = [true, false].map((is) =>
      here.filter((block) => block.includes('/stream') === is),
    );
    const [setUp] = await calls();
    for (const stream of endless ?? []) {
      const script = [setUp, ...(others ?? []), 'echo All have run.', stream].join('\n');
      expect(await paste(script, 'Echo from the embedded agent server: Hello')).toContain('All have run.\n');
    }
  });

  it('work from the README of the small back end', async () => {
    const example = join('examples', 'back-end');
    await cp(join(ROOT, example), join(folder.path, example), { recursive: true });
    const [setUp] = await calls();
    const port = backEnd.split(':')[1];
    const [start = '', use = ''] = (await commandsOf(join(ROOT, example, 'README.md'))).map((commands) =>
      commands
        .replaceAll('127.0.0.1:4000', backEnd)
        // Its package is among those of the folder above.
        .replace('npm install && npm start', `PORT=${port} node back-end.mjs &`),
    );
    const listens = `until command curl -s http://${backEnd} >/dev/null; do sleep 0.1; done`;
    const output = await paste([setUp, start, listens, use].join('\n'), 'server: And now this');
    expect(output).toContain('Echo from the embedded agent server: And now this');
  });

  it('work from the page of a service without a web interface', async () => {
    const page = await (await fetch(await terminal.ready)).text();
    const [, command = ''] = /<pre><code>(.* key:issue .*)<\/code>/.exec(page) ?? [];
    expect(JSON.parse(await paste(command))).toMatchObject({ key: expect.stringMatching(/^ocs_/) as string });
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
