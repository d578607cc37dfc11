import { appendFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';
import { makeBuildFolder } from '../../support/terminal/build-folder';
import { ServiceTerminal } from '../../support/terminal/service-terminal';

describe('npm run dev', () => {
  it('builds and starts the service, starts it again when a source changes, and ends with Ctrl-C', async () => {
    const folder = await makeBuildFolder();
    for (const name of ['nest-cli.json', 'tsconfig.build.json', '.swcrc'])
      await symlink(join(ROOT, name), join(folder.path, name));
    const terminal = ServiceTerminal.run('npm run dev', folder.path);
    const starts = (): number => terminal.output.match(/^ {2}API +\S+/gm)?.length ?? 0;
    try {
      await terminal.ready;
      await appendFile(join(folder.path, 'src', 'main.ts'), "console.log('This is the new build.');\n");
      await eventually(() => expect(starts()).toBe(2));
      expect(terminal.output).toContain('This is the new build.');
    } finally {
      expect(await terminal.stop()).toBe(0);
      await folder.remove();
    }
  });
});
