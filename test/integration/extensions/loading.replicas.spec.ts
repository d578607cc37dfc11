import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../../src/kernel/common';
import { runCommand } from '../../../src/operations/cli/command-line';
import { examineInstallation } from '../../../src/operations/doctor';
import { ExtensionFiles } from '../../support/service/extension-files';
import { ServiceProcess } from '../../support/service/service-process';

describe('EXTENSIONS', () => {
  let files: ExtensionFiles;
  beforeAll(async () => {
    files = await ExtensionFiles.make();
  });
  afterAll(() => files.remove());

  /** What the start says that fails before anything is made. */
  async function failureOf(env: Readonly<Record<string, string>>): Promise<string> {
    const service = ServiceProcess.start({ DATA_DIR: '/nowhere/to/be/made', ...env });
    expect(await service.ended).toBe(1);
    return service.errors;
  }

  it('names a file that is not there: the start says which', async () => {
    // Elsewhere than the sources, whose build is another copy of the service than these.
    expect(await failureOf({ EXTENSIONS: '/nowhere/acme.js' })).toBe(
      "EXTENSIONS: /nowhere/acme.js cannot be loaded: Cannot find module '/nowhere/acme.js'\n",
    );
  });

  it('names a file that breaks while it is loaded: the start says why', async () => {
    const file = await files.add('breaks.js', `(() => { throw new Error('no licence'); })()`);
    expect(await failureOf({ EXTENSIONS: file })).toBe(`EXTENSIONS: ${file} cannot be loaded: no licence\n`);
  });

  it.each(['undefined', '42', '[]', 'function plain() {}', '[{ modules: [] }]'])(
    'names a file that exports %s: the start says what to export',
    async (exported) => {
      const file = await files.add('other.js', exported);
      const sentence = `EXTENSIONS: ${file} has no extension as its default export: export default defineExtension({ … }), or a Nest module.\n`;
      expect(await failureOf({ EXTENSIONS: file })).toBe(sentence);
    },
  );

  it('names ES modules, by their ending or by their package: they are loaded as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'es-modules-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const [one, other] = [join(folder, 'one.mjs'), join(folder, 'other.js')];
    for (const file of [one, other]) await writeFile(file, `export default { name: 'acme' };`);
    expect(await failureOf({ EXTENSIONS: `${one}, ${other}` })).toBe(
      'There are two extensions named acme: EXTENSIONS has to name one only.\n',
    );
    await rm(folder, { recursive: true });
  });

  it('names two that clash: the start says in what', async () => {
    const one = await files.add('one.js', `{ name: 'acme' }`);
    const other = await files.add('other-one.js', `{ name: 'acme' }`);
    expect(await failureOf({ EXTENSIONS: `${one}, ${other}` })).toBe(
      'There are two extensions named acme: EXTENSIONS has to name one only.\n',
    );
  });

  it('names one with a copy of a library of its own: the start says which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'copies-'));
    const library = join(folder, 'node_modules', 'typeorm');
    await mkdir(library, { recursive: true });
    await writeFile(join(library, 'index.js'), '');
    const file = join(folder, 'extension.js');
    await writeFile(file, `exports.default = { name: 'acme' };`);
    expect(await failureOf({ EXTENSIONS: file })).toContain(
      `EXTENSIONS: ${file} finds another copy of typeorm (${join(library, 'index.js')}) than the service`,
    );
    await rm(folder, { recursive: true });
  });

  it('names one that is for another version of the service: the start says for which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'versions-'));
    const declared = { version: '1.2.0', peerDependencies: { 'org-conversation-service': '^7.1.0' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(declared));
    const file = join(folder, 'acme.js');
    await writeFile(file, `exports.default = { name: 'acme' };`);
    expect(await failureOf({ EXTENSIONS: file })).toBe(
      `EXTENSIONS: ${file} is for org-conversation-service ^7.1.0, as its package.json says, and this is ${VERSION}: install a version of it that is for this one.\n`,
    );
    const peers = { ...declared, peerDependencies: { 'org-conversation-service': `^${VERSION}` } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(peers));
    const findings = await examineInstallation({ EXTENSIONS: file, DATA_DIR: folder });
    expect(findings).toContainEqual(
      expect.objectContaining({ says: 'These can be loaded: the extension acme 1.2.0.' }),
    );
    await rm(folder, { recursive: true });
  });

  it('lets a driver of an extension be chosen, which then has to be there', async () => {
    const file = await files.add('driver.js', `{ name: 'acme', sandboxDrivers: ['machines'] }`);
    expect(await failureOf({ EXTENSIONS: file, SANDBOX_DRIVER: 'machine' })).toContain(
      'SANDBOX_DRIVER: there is no driver machine; there are embedded, process, docker, kubernetes, external, machines',
    );
    const dataDir = await mkdtemp(join(tmpdir(), 'driver-'));
    const named = { EXTENSIONS: file, SANDBOX_DRIVER: 'machines', DATA_DIR: dataDir };
    expect(await failureOf(named)).toBe(
      'There is no sandbox driver machines. The extension that names it has to register it.\n',
    );
    await rm(dataDir, { recursive: true });
  });

  it('adds permissions to the OpenAPI document', async () => {
    const file = await files.add('permitted.js', `{ name: 'acme', permissions: { 'acme:read': 'owner' } }`);
    const document = JSON.parse(await runCommand(['openapi'], { EXTENSIONS: file })) as {
      components: { schemas: Record<string, { properties: { permissions: { items: { enum: string[] } } } }> };
    };
    for (const schema of ['CurrentUser', 'OwnMembership'])
      expect(document.components.schemas[schema]?.properties.permissions.items.enum.at(-1)).toBe('acme:read');
  });
});
