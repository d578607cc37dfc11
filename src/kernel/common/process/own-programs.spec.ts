import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownPrograms } from './own-programs';

describe('the programs of an installation', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'installation-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Makes files. @returns the folder of the programs in `root` */
  function installed(root: string, ...files: string[]): string {
    for (const file of ['package.json', ...files].map((name) => join(folder, root, name))) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{}');
    }
    return join(folder, root, 'dist');
  }

  it('are scripts of npm in a clone, and files for somebody who is elsewhere', () => {
    const programs = installed('clone', 'scripts/cli.mjs');
    expect(ownPrograms(join(folder, 'clone'), programs)).toEqual({
      cli: 'npm run --silent cli --',
      hasScripts: true,
    });
    expect(ownPrograms(folder, programs)).toEqual({ cli: 'node clone/dist/cli.js', hasScripts: false });
    installed('other', 'scripts/cli.mjs');
    expect(ownPrograms(join(folder, 'other'), programs)).toEqual({
      cli: `node ${folder}/clone/dist/cli.js`,
      hasScripts: false,
    });
  });

  it('are what npm links where the service is a package of somebody', () => {
    const programs = installed('mine/node_modules/org-conversation-service');
    installed('mine', 'scripts/cli.mjs');
    expect(ownPrograms(join(folder, 'mine'), programs)).toEqual({
      cli: 'npx org-conversation-service cli',
      hasScripts: false,
    });
  });

  it('are files in the image, which has no scripts, with a path that a shell reads', () => {
    expect(ownPrograms(join(folder, 'app'), installed('app'))).toEqual({
      cli: 'node dist/cli.js',
      hasScripts: false,
    });
    expect(ownPrograms(folder, installed('my app')).cli).toBe("node 'my app/dist/cli.js'");
  });
});
