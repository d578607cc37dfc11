import {
  refProblem,
  registrationNameProblem,
  registrationSourceProblem,
  repoPathProblem,
} from './registration-rules';

type Rule = (text: string) => string | null;

const rules: readonly (readonly [string, Rule, readonly string[], readonly string[]])[] = [
  [
    'a name',
    registrationNameProblem,
    ['a', 'Team', 'a-b_c9', 'a'.repeat(100)],
    ['', '9a', '_a', '-a', 'a b', 'a.b', 'é', 'a\n', 'a'.repeat(101)],
  ],
  [
    'a source',
    registrationSourceProblem,
    [
      'github:acme/shop',
      'codeberg:o.x/r_y-z',
      'gitlab:a/b.git',
      'https://host.example/a/b.git',
      'https://user@host.example:8443/a/b',
      'http://10.0.0.1/a',
      'ssh://git@host.example/a',
      'git://host.example/a',
      'git@host.example:a/b.git',
      'marketplaces/local',
      'y',
      'a..b/c',
    ],
    [
      '',
      'github:a',
      'github:a/b/c',
      'github:../b',
      'github:a/..',
      'github:./b',
      'sourcehut:o/r',
      'https://user:secret@host.example/a',
      'https://host.example/a/../b',
      'https://host.example/a/%2e%2E/b',
      'https://host.example',
      'https:///a',
      'ssh://-oProxyCommand=x/y',
      'git@-oProxyCommand=x:y',
      'file:///etc',
      'ext::sh -c id',
      '/abs',
      '-x',
      '.hidden',
      '~/x',
      'a/../b',
      'a\\b',
      'a\nb',
      'C:/x',
      'a'.repeat(2049),
    ],
  ],
  [
    'a path inside a repository',
    repoPathProblem,
    ['a', 'a/b', '.', './a', '..a', 'a..'],
    ['', '/a', '..', '../a', 'a/..', 'a/../b', 'a\\b', 'https://x/y', 'C:/x', 'c:x', 'a\u0000'],
  ],
  [
    'a ref',
    refProblem,
    ['main', 'v1.2', 'feature/x', '0123456789abcdef0123456789abcdef01234567', 'a@b', 'é'],
    [
      ...[
        '',
        '-h',
        '/a',
        'a/',
        'a.',
        'a..b',
        'a//b',
        'a@{1}',
        '@',
        'a b',
        'a~1',
        'a^',
        'a:b',
        'a?',
        'a*',
        'a[',
      ],
      ...['a\\b', 'main\n', 'a.lock', 'a.lock/b', '.a', 'a/.b', 'a\u007f', 'a'.repeat(256)],
    ],
  ],
];

it.each(rules)('%s is accepted or refused by the rules of registrations', (_what, problem, right, wrong) => {
  expect(right.map((text) => [text, problem(text)])).toEqual(right.map((text) => [text, null]));
  expect(wrong.filter((text) => problem(text) === null)).toEqual([]);
});
