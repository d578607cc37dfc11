import { AllowedHosts } from '../../../kernel/common';
import { RegistrationProblem } from './registration-problem';
import { parseSource } from './agent-server-registrations';

const allowed = new AllowedHosts('GIT_ALLOWED_HOSTS', [
  'git.internal.example',
  '127.0.0.1:8080',
  '[::1]:9000',
]);

describe('a registration’s source', () => {
  it.each([
    ['github:acme/tools', 'https://github.com/acme/tools.git'],
    ['gitlab:acme/tools', 'https://gitlab.com/acme/tools.git'],
    ['bitbucket:acme/tools', 'https://bitbucket.org/acme/tools.git'],
    ['codeberg:acme/tools.git', 'https://codeberg.org/acme/tools.git'],
    ['https://Git.Example/a/b', 'https://git.example/a/b'],
    ['http://git.internal.example/a.git', 'http://git.internal.example/a.git'],
    ['http://127.0.0.1:8080/a.git', 'http://127.0.0.1:8080/a.git'],
    ['http://[::1]:9000/a.git', 'http://[::1]:9000/a.git'],
  ])('%s is cloned from %s', (source, url) => {
    expect(parseSource(source, allowed)).toEqual({ kind: 'git', url });
  });

  it.each(['marketplace', 'teams/marketplace'])('%s is a local path', (path) => {
    expect(parseSource(path, allowed)).toEqual({ kind: 'local', path });
  });

  it.each([
    ['http://git.example/a.git', 'use https'],
    ['http://git.internal.example:8080/a.git', 'use https'],
    ['http://127.0.0.1/a.git', 'use https'],
    ['git://git.internal.example/a.git', 'ssh and git addresses cannot be previewed; use an https address'],
    ['ssh://git@git.internal.example/a', 'ssh and git addresses cannot be previewed; use an https address'],
    ['git@git.internal.example:a/b.git', 'ssh and git addresses cannot be previewed; use an https address'],
    ['file:///etc', 'use an https address'],
    ['ext::sh -c id', 'use an https address'],
    ['https://someone:secret@git.example/a', 'password'],
  ])('%s is refused: %s', (source, reason) => {
    expect(() => parseSource(source, allowed)).toThrow(RegistrationProblem);
    expect(() => parseSource(source, allowed)).toThrow(reason);
  });

  it.each(['ext::x', 'a b', 'host:99999999', 'https://host', 'host/path'])(
    'the operator cannot allow %j, which is no host',
    (entry) => {
      expect(() => new AllowedHosts('GIT_ALLOWED_HOSTS', [entry])).toThrow('GIT_ALLOWED_HOSTS');
    },
  );
});
