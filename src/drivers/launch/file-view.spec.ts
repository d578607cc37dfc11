import { existsSync, realpathSync } from 'node:fs';
import { viewArguments } from './file-view';

const HOME = '/usr/share/sandboxes/one';

/** The arguments with a folder of the service. */
function argumentsAt(closed: string, hasUser = false, command: string[] = []): string {
  const view = { home: HOME, aliases: [], hasUser, command, shown: [], resolver: null, closed: [closed] };
  return viewArguments(view).join(' ');
}

const possible = existsSync('/usr/share') && existsSync('/usr/lib') ? it : it.skip;

describe('the files that a sandbox without a user of its own sees', () => {
  possible('are none of the service’s in the folders of the system, but its own', () => {
    const text = argumentsAt('/usr/share');
    const steps = [
      '--ro-bind-try /usr /usr',
      '--tmpfs /usr/share',
      `--bind ${HOME}`,
      '--remount-ro /usr/share',
    ];
    const places = steps.map((step) => text.indexOf(step));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  possible('are none of the service’s below a link to them either', () => {
    const shown = ['/usr/lib', ...(realpathSync('/lib') === '/usr/lib' ? ['/lib'] : [])];
    for (const path of shown) expect(argumentsAt('/usr/lib')).toContain(` --tmpfs ${path} `);
  });

  possible('are those of its program, wherever they are', () => {
    const text = argumentsAt('/usr/share', false, ['/usr/share', '/usr/lib']);
    expect(text).toMatch(/--tmpfs \/usr\/share .*--ro-bind \/usr\/share \/usr\/share /);
    expect(text).not.toContain('--ro-bind /usr/lib ');
  });

  it('are not covered where they are not seen, or belong to another user', () => {
    for (const text of [argumentsAt('/var'), argumentsAt('/none'), argumentsAt('/usr/share', true)])
      expect(text).not.toMatch(/--tmpfs \/(?:var|none|usr\/share) /);
  });
});
