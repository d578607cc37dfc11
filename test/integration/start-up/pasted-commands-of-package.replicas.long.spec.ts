import { makePackageFolder } from '../../support/terminal/build-folder';
import { pasteInto } from '../../support/terminal/paste';
import { ServiceTerminal } from '../../support/terminal/service-terminal';

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
      expect(described).toMatch(/^Usage: npx org-conversation-service cli key:issue \[--email/);
    } finally {
      await terminal.stop();
      await folder.remove();
    }
  });
});
