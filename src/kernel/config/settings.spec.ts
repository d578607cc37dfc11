import { readSettings, SANDBOX_DRIVERS, SettingsError } from './settings';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('have a default for everything', () => {
    const settings = readSettings({});
    expect(settings.PORT).toBe(3000);
    expect(settings.SANDBOX_DRIVER).toBe('embedded');
  });

  it('count an empty variable as not set', () => {
    expect(readSettings({ PORT: '' }).PORT).toBe(3000);
  });

  it('report each problem on a line of its own', () => {
    const problems = problemsOf({ PORT: 'many', LOG_LEVEL: 'loud', INSTANCE_MARKETPLACES: '{' });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toMatch(/^PORT: /);
    expect(problems[1]).toBe('INSTANCE_MARKETPLACES: is not valid JSON');
  });

  it('need DATABASE_URL beside DATABASE_DIRECT_URL, which alone would split the service over two databases', () => {
    const DATABASE_DIRECT_URL = 'postgres://service@db.example/service';
    expect(problemsOf({ DATABASE_DIRECT_URL })).toEqual([
      'DATABASE_URL: is required when DATABASE_DIRECT_URL is set',
    ]);
  });

  it('need DATABASE_URL beside MIGRATION_DATABASE_URL: the embedded database has one role', () => {
    expect(problemsOf({ MIGRATION_DATABASE_URL: 'postgres://owner@db.example/service' })).toEqual([
      'DATABASE_URL: is required when MIGRATION_DATABASE_URL is set',
    ]);
  });

  it('keep the audit log for a month at least', () => {
    expect(problemsOf({ AUDIT_LOG_DAYS: '29' })).toEqual([expect.stringMatching(/^AUDIT_LOG_DAYS: /)]);
    expect(readSettings({ AUDIT_LOG_DAYS: '30' }).AUDIT_LOG_DAYS).toBe(30);
    expect(readSettings({})).toMatchObject({ AUDIT_LOG: 'on', AUDIT_LOG_DAYS: 400 });
  });

  it.each([
    ['too short', 'abcdefghijklmnopqrstuvwxyz01234'],
    ['too uniform', 'abcabcabcabcabcabcabcabcabcabcabcabcabc'],
  ])('refuse a SECRET_KEY that is %s with a sentence', (_, SECRET_KEY) => {
    expect(() => readSettings({ SECRET_KEY })).toThrow(
      /^SECRET_KEY: must have at least 32 characters, ten of them distinct/,
    );
  });

  it('take a SECRET_KEY of 32 characters, and a shorter one as an earlier one', () => {
    const SECRET_KEY = 'abcdefghijabcdefghijabcdefghijab';
    expect(readSettings({ SECRET_KEY, SECRET_KEYS_OLD: 'short' })).toMatchObject({
      SECRET_KEY,
      SECRET_KEYS_OLD: ['short'],
    });
  });

  it.each(['scrape', 'abcdefghijklmnopqrstuvwxyz01234', 'abcabcabcabcabcabcabcabcabcabcabcabcabc'])(
    'refuse %p as METRICS_TOKEN, of which there may be any number of guesses, with a sentence',
    (METRICS_TOKEN) => {
      expect(problemsOf({ METRICS_TOKEN })).toEqual([
        'METRICS_TOKEN: must have at least 32 characters, ten of them distinct, for example what `openssl rand -hex 32` prints',
      ]);
    },
  );

  it('take a METRICS_TOKEN of 32 characters', () => {
    const METRICS_TOKEN = 'abcdefghijabcdefghijabcdefghijab';
    expect(readSettings({ METRICS_TOKEN })).toMatchObject({ METRICS_TOKEN });
  });

  it('take origins for CORS_ORIGINS, and refuse everything else with a sentence', () => {
    const CORS_ORIGINS = 'https://app.example.com, http://localhost:5173';
    expect(readSettings({ CORS_ORIGINS }).CORS_ORIGINS).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
    ]);
    for (const wrong of [
      '*',
      'null',
      'app.example.com',
      'https://app.example.com/',
      'file:///tmp',
      'https://*.a',
    ])
      expect(problemsOf({ CORS_ORIGINS: wrong })).toEqual([
        'CORS_ORIGINS: must be origins such as https://app.example.com, separated by commas; * is none',
      ]);
  });

  it('take a UUID or * as the organization of the external server, and nothing else', () => {
    expect(problemsOf({ EXTERNAL_ORG_ID: 'mine' })).toEqual(['EXTERNAL_ORG_ID: must be a UUID or *']);
    for (const id of ['*', '7C9E6679742540DE944BE07FC1F90AE7'])
      expect(problemsOf({ EXTERNAL_ORG_ID: id })).toEqual([]);
  });

  it.each(['DOWNLOAD_SECONDS', 'DOOR_IDLE_SECONDS', 'SANDBOX_START_SECONDS', 'MARKETPLACE_CALL_SECONDS'])(
    'refuse a %s that no timer measures',
    (name) => {
      expect(problemsOf({ [name]: '2147483' })).toEqual([]);
      expect(problemsOf({ [name]: '2147484' })).toEqual([expect.stringContaining(`${name}: `)]);
    },
  );

  it('know the sandbox drivers of the service, and those an extension names', () => {
    expect(problemsOf({ SANDBOX_DRIVER: 'proces' })).toEqual([
      'SANDBOX_DRIVER: there is no driver proces; there are embedded, process, docker, kubernetes, external',
    ]);
    const settings = readSettings({ SANDBOX_DRIVER: 'remote' }, [...SANDBOX_DRIVERS, 'remote']);
    expect(settings.SANDBOX_DRIVER).toBe('remote');
  });

  it.each([
    [
      { DOCKER_HOST: '/var/run/docker.sock' },
      'DOCKER_HOST: must be unix:///path/of/docker.sock or tcp://host:port',
    ],
    [{ DOCKER_HOST: 'ssh://host' }, 'DOCKER_HOST: must be unix:///path/of/docker.sock or tcp://host:port'],
    [
      { DOCKER_SUBNETS: '10.1.2.3/30' },
      'DOCKER_SUBNETS: must be a network such as 10.213.0.0/16, of eight addresses or more',
    ],
    [{ DOCKER_PUBLISH_ADDRESS: 'host' }, 'DOCKER_PUBLISH_ADDRESS: must be an IP address'],
  ])('say of %j what the engine of containers needs', (env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });

  it.each(['http://user@agents.example', 'http://:word@agents.example', 'https://agents.example/?key=x'])(
    'refuse %s as the address of the external server, because callers see it',
    (AGENT_SERVER_URL) => {
      expect(problemsOf({ AGENT_SERVER_URL })).toEqual([
        'AGENT_SERVER_URL: must carry no user, password or query: callers see it',
      ]);
    },
  );

  it.each([
    [{ DATABASE_URL: 'postgres://x/y' }, 'SECRET_KEY'],
    [{ SANDBOX_DRIVER: 'external' }, 'AGENT_SERVER_URL'],
    [{ SANDBOX_DRIVER: 'docker' }, 'SANDBOX_IMAGE'],
    [{ SANDBOX_DRIVER: 'kubernetes' }, 'SANDBOX_IMAGE'],
    [{ SANDBOX_WARM: '1', KUBERNETES_NAMESPACE: 'agents-{org}' }, 'one namespace for all'],
    [{ SMTP_URL: 'smtp://localhost' }, 'MAIL_FROM'],
  ])('say which other setting %j needs', (env, missing) => {
    expect(problemsOf(env).join()).toContain(missing);
  });
});
