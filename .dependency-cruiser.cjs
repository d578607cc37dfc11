/**
 * Who may import whom, and only through a module's index.ts: the picture in docs/architecture.md is drawn from this table.
 * `modules` are those of an area, and each may import those before it; `imports` are the areas whose modules they may import.
 */
const areas = {
  kernel: {
    modules: [
      'common',
      'telemetry',
      'config',
      'validation',
      'database',
      'leases',
      'jobs',
      'domain-events',
      'request-limits',
      'auth',
      'http',
      'audit',
      'idempotency',
      'health',
    ],
    imports: [],
  },
  accounts: {
    modules: [
      'owned-records',
      'personal-data',
      'secrets',
      'mail',
      'orgs',
      'legal-holds',
      'api-keys',
      'identity-providers',
      'service-accounts',
      'sign-in',
      'device-login',
      'invitations',
      'provider-tokens',
      'scim',
      'audit-log',
      'persons',
    ],
    imports: ['kernel'],
  },
  sandboxes: {
    modules: ['agent-server', 'driver-port', 'sandboxes', 'sandbox-access'],
    imports: ['kernel', 'accounts'],
  },
  agents: {
    modules: [
      'git-credentials',
      'skills',
      'git-search',
      'model-policy',
      'budgets',
      'gateway-access',
      'agent-settings',
      'app-settings',
    ],
    imports: ['kernel', 'accounts', 'sandboxes'],
  },
  conversations: {
    modules: ['conversations', 'events', 'pending-messages', 'organization-ends'],
    imports: ['kernel', 'accounts', 'sandboxes', 'agents'],
  },
  outbound: {
    modules: ['event-streams', 'webhooks', 'model-gateway'],
    imports: ['kernel', 'accounts', 'sandboxes', 'agents', 'conversations'],
  },
  // Whatever takes their place is chosen by the composition root.
  drivers: { modules: [], imports: ['kernel', 'sandboxes'] },
  appliance: {
    modules: ['embedded-postgres', 'embedded-agent-server', 'automations', 'web-interface', 'console'],
    imports: ['kernel', 'accounts', 'sandboxes', 'agents'],
  },
  // Commands of operators put together what they need themselves, as the files of src do.
  operations: {
    modules: ['extensions', 'backup', 'doctor', 'retention', 'cli', 'testing'],
    imports: [
      'kernel',
      'accounts',
      'sandboxes',
      'agents',
      'conversations',
      'outbound',
      'drivers',
      'appliance',
      '[^/]+\\.ts$',
    ],
  },
};

/** The folders that a module is the way into, and whose index.ts is its door. */
const foldersOf = (area) =>
  areas[area].modules.length === 0 ? [area] : areas[area].modules.map((module) => `${area}/${module}`);

const own = Object.keys(areas).flatMap((area) =>
  foldersOf(area).map((folder, index, folders) => {
    const may = [...folders.slice(0, index), ...areas[area].imports];
    return {
      name: `${folder}-imports`,
      comment: `src/${folder} may import ${may.length ? may.join(', ') : 'nothing of ours'}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: {
        path: '^src/',
        pathNot: [
          `^src/${folder}/`,
          ...may.map((target) => `^src/${target}${target.endsWith('$') ? '' : '/'}`),
        ],
      },
    };
  }),
);

/** The files of src that compose what runs: adapters, and what only some installations have, are chosen there alone. */
const compositionRoot = ['app.module', 'service', 'start-up', 'index'];

/** What is loaded before the rest of the code, past the index.ts that would load it: by the files of src alone. */
const loadedEarly = [
  'kernel/common/process/node-script',
  'kernel/http/observability/log-destination',
  'agents/skills/registration/marketplace-settings',
  'drivers/start-checks',
  'appliance/web-interface/installed/interface-to-serve',
  'appliance/console/built-console',
  'operations/cli/command-(line|error)',
  'operations/extensions/(compose|gather-extensions)',
];

const doors = Object.keys(areas)
  .flatMap(foldersOf)
  .map((folder) => ({
    name: `${folder}-through-index`,
    comment: 'Another module is imported through its index.ts, never by a file inside it.',
    severity: 'error',
    from: { path: '^src/[^/]+/', pathNot: `^src/${folder}/` },
    to: {
      path: `^src/${folder}/`,
      // Rules that settings are checked by before anything else is loaded.
      pathNot: [`^src/${folder}/index\\.ts$`, '^src/agents/git-credentials/credential-rules\\.ts$'],
    },
  }));

const root = [
  {
    name: 'composition-root',
    comment: 'Of the files of src, those of the composition root alone import drivers and appliance.',
    severity: 'error',
    from: { path: '^src/[^/]+\\.ts$', pathNot: `^src/(${compositionRoot.join('|')})\\.ts$` },
    to: { path: '^src/(drivers|appliance)/' },
  },
  {
    name: 'root-through-index',
    comment: 'A module is imported through its index.ts, but for what is loaded before the rest of the code.',
    severity: 'error',
    from: { path: '^src/[^/]+\\.ts$' },
    to: {
      path: '^src/[^/]+/',
      pathNot: [
        `^src/(${Object.keys(areas).flatMap(foldersOf).join('|')})/index\\.ts$`,
        `^src/(${loadedEarly.join('|')})\\.ts$`,
      ],
    },
  },
];

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
      comment: 'A new folder of an area needs its place in the table above.',
      severity: 'error',
      from: { path: `^src/(?!(${Object.keys(areas).flatMap(foldersOf).join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'testing-by-tests-only',
      comment: 'What extensions test with is no part of the service that runs.',
      severity: 'error',
      from: { path: '^src/(?!operations/testing/)' },
      to: { path: '^src/operations/testing/' },
    },
    {
      name: 'scripts-are-run',
      comment:
        'What such a file does at once is about the process that runs it: its priority, its signals, its messages.',
      severity: 'error',
      from: {},
      to: {
        path: '/(main|bin|git-helper|reading-worker)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-entities-in-controllers',
      severity: 'error',
      from: { path: '\\.(controller|dto)\\.ts$' },
      to: { path: '\\.entity\\.ts$' },
    },
    ...own,
    ...doors,
    ...root,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};

// For the picture; dependency-cruiser knows no such option.
Object.defineProperty(module.exports, 'areas', { value: areas });
