import { forAgentServer } from './agent-server-registrations';

function registration(source: string) {
  return { name: 'team', source, ref: 'v1', repo_path: 'sub', auto_load: true, scope: 'org' };
}

describe('registrations for an agent server', () => {
  it.each([
    ['github:acme/tools', 'github:acme/tools'],
    ['github:acme/tools.git', 'https://github.com/acme/tools.git'],
    ['gitlab:acme/tools', 'https://gitlab.com/acme/tools.git'],
    ['codeberg:acme/tools', 'https://codeberg.org/acme/tools.git'],
    ['bitbucket:acme/tools', 'https://bitbucket.org/acme/tools.git'],
    ['https://git.example/a/b', 'https://git.example/a/b'],
    ['git@git.example:a/b.git', 'git@git.example:a/b.git'],
    ['git://git.example/a.git', 'git://git.example/a.git'],
    ['ssh://git@git.example/a/b.git', 'git@git.example:a/b.git'],
    ['ssh://git.example/a/b.git', 'git@git.example:a/b.git'],
  ])('name %s as %s, without scope', (source, known) => {
    expect(forAgentServer([registration(source)])).toEqual({
      registrations: [{ name: 'team', source: known, ref: 'v1', repo_path: 'sub', auto_load: true }],
      notes: [],
    });
  });

  it.each([
    ['marketplaces/own', 'Marketplace team was left out: a local path is not known in the sandbox.'],
    [
      'ssh://git@git.example:2222/a.git',
      'Marketplace team was left out: the sandbox does not take ssh addresses with a port.',
    ],
  ])('leave %s out with a note', (source, note) => {
    expect(forAgentServer([registration(source)])).toEqual({ registrations: [], notes: [note] });
  });
});
