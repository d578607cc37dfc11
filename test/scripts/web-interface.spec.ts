import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type InstallOptions, installInterface } from '../../scripts/web-interface/install';
import { readSettings } from '../../src/kernel/config';
import {
  findInterface,
  folderOfPackage,
  INTERFACE_PACKAGE,
  type InterfacePackage,
  interfaceToServe,
} from '../../src/appliance/web-interface';
import { eventually } from '../support/eventually';
import { integrityOf, NpmRegistry, type PackedFile, packed } from '../support/web-interface/npm-registry';

const NAME = '@openhands/agent-canvas';
const VERSION = '9.8.7';
const SCRIPT = 'export const text = 1;\n'.repeat(500);

const ADDRESS = 'https://cdn.example/editor@1.2.3/min/vs';
const EDITOR: readonly PackedFile[] = [
  [{ name: 'package/LICENSE' }, 'MIT'],
  [{ name: 'package/min/vs/loader.js' }, 'loader'],
  [{ name: 'package/esm/vs/editor.js' }, 'module'],
];

const ICONS_AT = 'https://icons.example';
const ICONS: readonly PackedFile[] = [
  [{ name: 'package/icons/known.svg' }, '<svg role="img"></svg>'],
  [{ name: 'package/icons/other.svg' }, '<svg></svg>'],
];

const BUILD: readonly PackedFile[] = [
  [{ name: 'package/package.json' }, '{}'],
  [{ name: 'package/LICENSE' }, 'MIT'],
  [{ name: 'package/build', type: 'directory' }],
  [{ name: 'package/build/index.html' }, '<html><head></head></html>'],
  [{ name: 'package/build/assets/app.js' }, SCRIPT],
  [{ name: 'package/build/assets/small.js' }, '1'],
  [{ name: 'package/build/assets/changes.js' }, `load('${ADDRESS}', '${ADDRESS}/loader.js')`],
  [{ name: 'package/build/assets/logos.js' }, `a='${ICONS_AT}/known/FFFFFF';b='${ICONS_AT}/new/000000'`],
  [{ name: 'package/build/assets/look.css' }, '@import "https://fonts.example/a";b{}'],
  [{ name: 'package/build/icon.png' }, 'x'.repeat(5_000)],
  [{ name: 'package/build/mockServiceWorker.js' }, 'worker'],
  [{ name: 'package/dist/index.js' }, 'library'],
];

let editor: Buffer;
let icons: Buffer;
let folder: string;
let cache: string;
let registry: NpmRegistry;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-install-'));
  cache = join(folder, 'cache');
  lines = [];
  editor = await packed(EDITOR);
  icons = await packed(ICONS);
  registry = await NpmRegistry.start();
});
afterEach(async () => {
  registry.close();
  await rm(folder, { recursive: true, force: true });
});

const wanted = (content: Buffer): InterfacePackage => ({
  name: NAME,
  version: VERSION,
  integrity: integrityOf(content),
  editor: { name: 'editor', version: '1.2.3', integrity: integrityOf(editor), address: ADDRESS },
  icons: { name: 'icons', version: '4.5.6', integrity: integrityOf(icons), address: ICONS_AT },
  replacements: [{ subject: 'fonts', pattern: /@import "https:[^"]*";/g, by: '' }],
});
const has = (content: Buffer, editorContent = editor) => {
  registry.packages = [
    { name: NAME, version: VERSION, content },
    { name: 'editor', version: '1.2.3', content: editorContent },
    { name: 'icons', version: '4.5.6', content: icons },
  ];
};
const options = (registryUrl: string): InstallOptions => ({
  everyMs: 10,
  cache,
  // As a person's own configuration would say.
  environment: {
    PATH: process.env['PATH'],
    HOME: folder,
    npm_config_registry: registryUrl,
    npm_config_cache: join(folder, 'npm'),
    npm_config_update_notifier: 'false',
  },
  log: (line) => lines.push(line),
});
/** Has npm fetch the packages, which takes a second for each. */
const installByNpm = (pinned: InterfacePackage, registryUrl = registry.url) =>
  installInterface({ ...options(registryUrl), wanted: pinned });
/** Has the packages without npm, which other tests have fetch them. */
const install = (pinned: InterfacePackage) =>
  installInterface({
    ...options(registry.url),
    wanted: pinned,
    fetch: async ({ name }, into) => {
      await registry.sendsAfter;
      const path = join(into, `${name.replace('/', '-')}.tgz`);
      await writeFile(path, registry.packages.find((one) => one.name === name)?.content ?? '');
      return path;
    },
  });
const filesIn = async (at: string) =>
  (await readdir(at, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(at.length + 1))
    .sort();

describe('npm run web:install', () => {
  it('fetches the package from the registry of npm, and keeps its build with compressed files beside', async () => {
    const content = await packed(BUILD);
    has(content);
    const at = await installByNpm(wanted(content));
    expect(await filesIn(at)).toEqual([
      'LICENSE',
      'files/assets/app.js',
      'files/assets/app.js.br',
      'files/assets/app.js.gz',
      'files/assets/changes.js',
      'files/assets/editor-1.2.3/LICENSE',
      'files/assets/editor-1.2.3/loader.js',
      'files/assets/icons-4.5.6/known-FFFFFF.svg',
      'files/assets/logos.js',
      'files/assets/look.css',
      'files/assets/small.js',
      'files/icon.png',
      'index.html',
    ]);
    const script = join(at, 'files', 'assets', 'app.js');
    expect(brotliDecompressSync(await readFile(`${script}.br`)).toString()).toBe(SCRIPT);
    expect(gunzipSync(await readFile(`${script}.gz`)).toString()).toBe(SCRIPT);
    expect(await readdir(cache)).toEqual([folderOfPackage(wanted(content))]);
    expect(await findInterface(cache)).toEqual({ version: VERSION, folder: at });
    expect(registry.asked).toContain(`/${NAME}`);
  });

  it('says how far it is, while it fetches and while it compresses', async () => {
    const content = await packed(BUILD);
    has(content);
    const saysSo = () =>
      eventually(() => expect(lines).toContainEqual(expect.stringMatching(/^ {2}fetching for \d+ s$/)));
    registry.sendsAfter = saysSo().catch(() => undefined);
    await install(wanted(content));
    await saysSo();
    expect(lines.filter((line) => line.endsWith('compressed')).at(-1)).toBe('  100 % compressed');
  });

  it('asks for nothing when it is there already', async () => {
    const content = await packed(BUILD);
    has(content);
    const at = await install(wanted(content));
    expect(await installByNpm(wanted(content))).toBe(at);
    expect(registry.asked).toEqual([]);
    expect(lines.at(-1)).toContain('is installed in');
  });

  it('refuses a package that is not the pinned one, whatever the registry says of it; the old one stays', async () => {
    const good = await packed(BUILD);
    has(good);
    const old = { ...wanted(good), version: VERSION };
    const at = await install(old);
    const before = await filesIn(at);
    has(await packed([...BUILD, [{ name: 'package/build/extra.js' }, 'evil']]));
    const pinned = { ...wanted(Buffer.from('another')), version: VERSION };
    await expect(installByNpm(pinned)).rejects.toThrow(
      /is not that package, and was not installed: its digest is sha512-.*, and should be sha512-/,
    );
    expect(await readdir(cache)).toEqual([folderOfPackage(old)]);
    expect(await filesIn(at)).toEqual(before);
    expect((await findInterface(cache))?.folder).toBe(at);
  });

  it('says in a sentence that there is no network; the old one stays', async () => {
    const content = await packed(BUILD);
    has(content);
    const at = await install(wanted(content));
    const { url } = registry;
    registry.close();
    await expect(installByNpm(wanted(Buffer.from('newer')), url)).rejects.toThrow(
      `The npm registry cannot be reached (ECONNREFUSED), so ${NAME}@${VERSION} was not fetched.`,
    );
    expect((await findInterface(cache))?.folder).toBe(at);
  });

  it('says that the registry has no such package', async () => {
    has(Buffer.alloc(0));
    await expect(installByNpm({ ...wanted(Buffer.alloc(0)), version: '1.1.1' })).rejects.toThrow(
      /^npm could not fetch @openhands\/agent-canvas@1\.1\.1: ETARGET/,
    );
  });

  it.each<[string, PackedFile]>([
    ['a file outside its folder', [{ name: 'package/build/../../../escaped.js' }, 'evil']],
    ['a file outside by a backslash', [{ name: 'package/build/..\\escaped.js' }, 'evil']],
    ['a link', [{ name: 'package/build/link', type: 'symlink', linkname: '/etc/passwd' }]],
    ['a hard link', [{ name: 'package/build/link', type: 'link', linkname: 'package/package.json' }]],
    ['a device', [{ name: 'package/build/device', type: 'character-device' }]],
    ['a file twice', [{ name: 'package/build/icon.png' }, 'evil']],
    ['a name that continues elsewhere', [{ name: 'package/build//escaped.js' }, 'evil']],
  ])('refuses a package with %s', async (_, file) => {
    const content = await packed([...BUILD, file]);
    has(content);
    await expect(install(wanted(content))).rejects.toThrow(/not as it should be|EEXIST/);
    expect(await readdir(cache)).toEqual([]);
    expect(await readdir(folder)).not.toContain('escaped.js');
  });

  it('keeps the editor that the build asks a stranger for, and lets the build ask the service', async () => {
    const content = await packed(BUILD);
    has(content);
    const at = await install(wanted(content));
    const assets = join(at, 'files', 'assets');
    expect(await filesIn(join(assets, 'editor-1.2.3'))).toEqual(['LICENSE', 'loader.js']);
    const changes = await readFile(join(assets, 'changes.js'), 'utf8');
    expect(changes).toBe(`load('/assets/editor-1.2.3', '/assets/editor-1.2.3/loader.js')`);
  });

  it('refuses an editor that is not the pinned one, and a build that asks elsewhere for it', async () => {
    const content = await packed(BUILD);
    has(content, await packed([...EDITOR, [{ name: 'package/min/vs/extra.js' }, 'evil']]));
    await expect(install(wanted(content))).rejects.toThrow(/editor@1.2.3 is not that package/);
    const other = await packed(BUILD.filter(([{ name }]) => !name.endsWith('changes.js')));
    has(other);
    await expect(install(wanted(other))).rejects.toThrow(
      /is another one: it has not the address of its editor/,
    );
    expect(await readdir(cache)).toEqual([]);
  });

  it('keeps the icons that the build asks a stranger for, in the colours it wants', async () => {
    const content = await packed(BUILD);
    has(content);
    const assets = join(await install(wanted(content)), 'files', 'assets');
    const icon = await readFile(join(assets, 'icons-4.5.6', 'known-FFFFFF.svg'), 'utf8');
    expect(icon).toBe('<svg fill="#FFFFFF" role="img"></svg>');
    expect(await readFile(join(assets, 'logos.js'), 'utf8')).toBe(
      `a='/assets/icons-4.5.6/known-FFFFFF.svg';b='${ICONS_AT}/new/000000'`,
    );
  });

  it('replaces what it is told to, and refuses a build that has it not', async () => {
    const content = await packed(BUILD);
    has(content);
    const at = await install(wanted(content));
    expect(await readFile(join(at, 'files', 'assets', 'look.css'), 'utf8')).toBe('b{}');
    const other = { ...wanted(content), replacements: [{ subject: 'a name', pattern: /name/g, by: '' }] };
    await expect(install(other)).rejects.toThrow('it has not a name');
  });

  it('refuses a package without a build', async () => {
    const content = await packed([[{ name: 'package/package.json' }, '{}']]);
    has(content);
    await expect(install(wanted(content))).rejects.toThrow('The package has no static build.');
  });
});

describe('the interface that the service serves', () => {
  const put = (name: string) => mkdir(join(cache, name), { recursive: true });

  it('is the pinned one, else the one there is, and none where there is none', async () => {
    expect(await findInterface(cache)).toBeNull();
    await put('1.0.0-0123456789ab');
    await put('incomplete-abc');
    await writeFile(join(cache, 'note.txt'), '');
    expect((await findInterface(cache))?.version).toBe('1.0.0');
    await put(folderOfPackage(INTERFACE_PACKAGE));
    expect((await findInterface(cache))?.version).toBe(INTERFACE_PACKAGE.version);
  });

  it('is none where WEB_UI is off, and prevents a start at an address with a path', async () => {
    const serve = (env: Record<string, string>) => interfaceToServe(readSettings(env), cache);
    const PUBLIC_URL = 'https://example.com/agents/';
    expect(await serve({ PUBLIC_URL })).toBeNull();
    await put('1.0.0-0123456789ab');
    expect(await serve({})).toMatchObject({ version: '1.0.0' });
    expect(await serve({ PUBLIC_URL: 'https://example.com/' })).not.toBeNull();
    expect(await serve({ WEB_UI: 'off', PUBLIC_URL })).toBeNull();
    await expect(serve({ PUBLIC_URL })).rejects.toThrow(
      'PUBLIC_URL has the path /agents, and the web interface works at the root of an address only: leave the path out, or set WEB_UI=off.',
    );
  });
});
