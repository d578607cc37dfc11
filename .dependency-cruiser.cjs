/** The table of docs/architecture.md as rules: who may import whom, and only through a module's index.ts. */
const kernel = [
  'common',
  'config',
  'database',
  'jobs',
  'domain-events',
  'request-limits',
  'validation',
  'auth',
  'http',
];

/** module -> what it may import besides itself: modules, and files of `src` itself */
const allowed = {
  common: [],
  config: ['common'],
  validation: ['common', 'config'],
  database: ['common', 'config'],
  jobs: ['common', 'config', 'database'],
  'domain-events': ['common', 'config', 'database', 'jobs'],
  'request-limits': ['common', 'config', 'database', 'jobs'],
  auth: ['common', 'config', 'database', 'validation'],
  http: ['common', 'config', 'database', 'request-limits', 'validation', 'auth'],
  idempotency: [...kernel],
  health: [...kernel],
  mail: [...kernel],
  'agent-server': [...kernel],
  'git-credentials': [...kernel],
  skills: [...kernel, 'git-credentials'],
  'git-search': [...kernel, 'git-credentials', 'skills'],
  'agent-settings': [...kernel, 'sandboxes', 'agent-server', 'git-credentials'],
  orgs: [...kernel, 'skills', 'agent-settings', 'sandboxes'],
  'api-keys': [...kernel, 'idempotency', 'orgs'],
  invitations: [...kernel, 'idempotency', 'orgs', 'api-keys', 'mail'],
  secrets: [...kernel],
  sandboxes: [...kernel, 'agent-server', 'secrets'],
  'sandbox-access': [...kernel, 'agent-server', 'sandboxes'],
  conversations: [
    ...kernel,
    'idempotency',
    'agent-settings',
    'orgs',
    'secrets',
    'git-credentials',
    'skills',
    'sandboxes',
    'agent-server',
  ],
  events: [...kernel, 'conversations', 'sandboxes', 'agent-server'],
  'pending-messages': [...kernel, 'idempotency', 'conversations', 'sandboxes', 'agent-server'],
  'web-interface': [...kernel, 'api-keys'],
  // Part of the composition root, as `app.module.ts` is.
  cli: [
    ...kernel,
    'agent-settings',
    'orgs',
    'api-keys',
    'git-credentials',
    'invitations',
    'secrets',
    'sandboxes',
    'conversations',
    'app.setup.ts',
    'start-up.ts',
  ],
};

const own = Object.entries(allowed).map(([name, may]) => ({
  name: `${name}-imports`,
  comment: `src/${name} may import ${may.length ? may.join(', ') : 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: {
    path: '^src/',
    pathNot: [`^src/${name}/`, ...may.map((target) => `^src/${target}${target.endsWith('.ts') ? '$' : '/'}`)],
  },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circular-folders',
      comment: 'Folders of a module depend on one another in one direction.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'known-modules',
      comment: 'A new folder under src needs a row in the table above.',
      severity: 'error',
      from: { path: `^src/(?!(${Object.keys(allowed).join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'through-index',
      comment: 'Another module is imported through its index.ts, never by a file inside it.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/.+', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'no-entities-in-controllers',
      severity: 'error',
      from: { path: '\\.(controller|dto)\\.ts$' },
      to: { path: '\\.entity\\.ts$' },
    },
    ...own,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
