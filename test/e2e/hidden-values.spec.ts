import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  SEALED_CONNECTION_KEYS,
  SEALED_MCP_CONFIGS,
  SEALED_PROFILE_KEYS,
  SEALED_PROFILE_OPTIONS,
  SEALED_SETTINGS_KEYS,
  SEALED_SETTINGS_OPTIONS,
} from '../../src/agents/agent-settings';
import { SecretBox } from '../../src/kernel/common';
import type { SealedColumn } from '../../src/kernel/database';
import { SEALED_GIT_PASSWORDS } from '../../src/agents/git-credentials';
import { openApiDocument } from '../../src/kernel/http';
import { SEALED_CLIENT_SECRETS } from '../../src/accounts/identity-providers';
import { SEALED_USER_SECRETS } from '../../src/accounts/secrets';
import { startOf } from '../support/agent-server/agent-server-calls';
import { DoubledService } from '../support/agent-server/doubled-service';
import { eventually } from '../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { call } from '../support/service/http';
import { fieldsLikeSecrets } from '../support/service/fields-like-secrets';
import { HARMLESS_FIELDS } from '../support/service/harmless-fields';

const HIDDEN = '**********';

type Body = Readonly<Record<string, unknown>>;

/** A field of requests that takes a secret. */
interface Place {
  /** A request with a value in the field; undefined leaves the field out. */
  readonly body: (value?: string) => Body;
  /** Makes what the request changes, with a secret or without one. @returns the path of the request */
  readonly prepare?: (as: TestCaller, secret: string | undefined) => Promise<string>;
  /** Whether there may be a secret before the request, or none. */
  readonly before?: 'always' | 'never';
  /** Whether the sign is refused where there is none, since to leave the secret out says something else. */
  readonly isRefused?: true;
  /** What is stored, or handed on, after a request. */
  readonly held: (as: TestCaller) => Promise<string[]>;
}

/** Secrets among what is set about models, with how each is written. */
const SECRETS_OF_MODELS: Readonly<Record<string, (value: string | undefined) => unknown>> = {
  aws_access_key_id: (value) => value,
  aws_secret_access_key: (value) => value,
  aws_session_token: (value) => value,
  extra_headers: (value) => ({ 'X-Token': value }),
};

const PROVIDER = { name: 'Company', issuer: 'https://sign-in.example.com', client_id: 'agents' };

/** Where secrets are taken, by operation and field. */
const PLACES: Readonly<Record<string, Place>> = {
  ...settings('.llm_api_key', SEALED_SETTINGS_KEYS, (value) => ({ llm_api_key: value })),
  ...settings('.agent_settings_diff.llm.api_key', SEALED_SETTINGS_KEYS, (value) => ({
    agent_settings_diff: { llm: { api_key: value } },
  })),
  ...Object.fromEntries(
    Object.entries(SECRETS_OF_MODELS).flatMap(([name, option]) =>
      Object.entries(
        settings(`.agent_settings_diff.llm.${name}`, SEALED_SETTINGS_OPTIONS, (value) => ({
          agent_settings_diff: { llm: { [name]: option(value) } },
        })),
      ),
    ),
  ),
  ...settings('.agent_settings_diff.mcp_config', SEALED_MCP_CONFIGS, (value) => ({
    agent_settings_diff: {
      mcp_config: {
        local: { command: 'true', env: { TOKEN: value } },
        remote: { url: 'https://mcp.example.com', headers: { 'X-Token': value } },
        known: { url: 'https://mcp.example.com', auth: { strategy: 'bearer', value } },
      },
    },
  })),
  ...profile('/api/v1/settings/profiles/{name}', () => '/api/v1/settings/profiles/A'),
  ...profile('/api/organizations/{org_id}/profiles/{name}', (as) => ofOrganization(as, 'profiles/A')),
  'POST /api/organizations/{org_id}/provider-connections .api_key': {
    body: (api_key) => ({ provider: 'openai', api_key }),
    prepare: (as) => Promise.resolve(ofOrganization(as, 'provider-connections')),
    before: 'never',
    held: stored(SEALED_CONNECTION_KEYS),
  },
  'PATCH /api/organizations/{org_id}/provider-connections/{connection_id} .api_key': {
    body: (api_key) => ({ provider: 'anthropic', api_key }),
    prepare: (as, api_key) =>
      made(as, ofOrganization(as, 'provider-connections'), { provider: 'openai', api_key }),
    held: stored(SEALED_CONNECTION_KEYS),
  },
  'POST /api/organizations/{org_id}/identity-providers .client_secret': {
    body: (client_secret) => ({ ...PROVIDER, client_secret }),
    prepare: (as) => Promise.resolve(ofOrganization(as, 'identity-providers')),
    before: 'never',
    isRefused: true,
    held: stored(SEALED_CLIENT_SECRETS),
  },
  'PATCH /api/organizations/{org_id}/identity-providers/{provider_id} .client_secret': {
    body: (client_secret) => ({ name: 'Other', client_secret }),
    prepare: (as, client_secret) =>
      made(as, ofOrganization(as, 'identity-providers'), { ...PROVIDER, client_secret }),
    held: stored(SEALED_CLIENT_SECRETS),
  },
  'POST /api/v1/secrets .value': {
    body: (value) => ({ name: 'TOKEN', value }),
    before: 'never',
    held: stored(SEALED_USER_SECRETS),
  },
  'PUT /api/v1/secrets/{secret_name} .value': {
    body: (value) => ({ name: 'OTHER', value }),
    prepare: async (as, value) => {
      await send(as, 'POST', '/api/v1/secrets', { name: 'TOKEN', value });
      return '/api/v1/secrets/TOKEN';
    },
    before: 'always',
    held: stored(SEALED_USER_SECRETS),
  },
  ...gitCredentials('/api/v1/git/credentials', () => '/api/v1/git/credentials'),
  ...gitCredentials('/api/organizations/{org_id}/git-credentials', (as) =>
    ofOrganization(as, 'git-credentials'),
  ),
  ...start('/api/v1/app-conversations'),
  ...start('/api/v1/app-conversations/stream-start'),
};

let doubled: DoubledService;
beforeAll(async () => {
  doubled = await DoubledService.start();
});
afterAll(() => doubled.close());

describe('the sign for a hidden value', () => {
  it('is tried wherever a request takes a secret', () => {
    const found = fieldsLikeSecrets(openApiDocument(doubled.service.app.app));
    expect(found).toEqual([...Object.keys(PLACES), ...Object.values(HARMLESS_FIELDS).flat()].sort());
  });

  const withOne = Object.entries(PLACES).filter(([, { before }]) => before !== 'never');
  it.each(withOne)('keeps what is stored: %s', async (title, place) => {
    const as = await newCaller();
    const secret = `s3cret-${randomUUID()}`;
    const path = await pathIn(title, place, as, secret);
    const before = await place.held(as);
    expect(await send(as, methodOf(title), path, place.body(HIDDEN))).toBe(200);
    const after = await place.held(as);
    expect(after.join()).toContain(secret);
    expect(after.join()).not.toContain(HIDDEN);
    if (before.length > 0) expect(after).toEqual(before);
  });

  const ofNone = Object.entries(PLACES).filter(([, { before }]) => before !== 'always');
  it.each(ofNone.filter(([, { isRefused }]) => !isRefused))(
    'counts as absent where nothing is stored: %s',
    async (title, place) => {
      const outcomeOf = async (value: string | undefined) => {
        const as = await newCaller();
        const path = await pathIn(title, place, as, undefined);
        const status = await send(as, methodOf(title), path, place.body(value));
        return { status, held: await place.held(as) };
      };
      const [hidden, absent] = [await outcomeOf(HIDDEN), await outcomeOf(undefined)];
      expect(hidden).toEqual(absent);
      expect(hidden.held.join()).not.toContain(HIDDEN);
    },
  );

  it.each(ofNone.filter(([, { isRefused }]) => isRefused))(
    'is refused where nothing is stored: %s',
    async (title, place) => {
      const as = await newCaller();
      const path = await pathIn(title, place, as, undefined);
      expect(await send(as, methodOf(title), path, place.body(HIDDEN))).toBe(422);
      expect(await place.held(as)).toEqual([]);
    },
  );
});

function settings(field: string, column: SealedColumn, body: Place['body']): Record<string, Place> {
  return { [`POST /api/v1/settings ${field}`]: { body, held: stored(column) } };
}

function profile(operation: string, pathFor: (as: TestCaller) => string): Record<string, Place> {
  const options = { ...SECRETS_OF_MODELS, api_key: (value: string | undefined) => value };
  return Object.fromEntries(
    Object.entries(options).map(([name, option]): [string, Place] => {
      const body = (value?: string) => ({ llm: { model: 'a/b', [name]: option(value) } });
      const prepare = async (as: TestCaller, secret: string | undefined) => {
        if (secret !== undefined) await send(as, 'POST', pathFor(as), body(secret));
        return pathFor(as);
      };
      const held = stored(name === 'api_key' ? SEALED_PROFILE_KEYS : SEALED_PROFILE_OPTIONS);
      return [`POST ${operation} .llm.${name}`, { body, prepare, held }];
    }),
  );
}

function gitCredentials(operation: string, pathFor: (as: TestCaller) => string): Record<string, Place> {
  const fields = { url_prefix: 'https://git.example.com', username: 'robin' };
  return {
    [`POST ${operation} .password`]: {
      body: (password) => ({ ...fields, password }),
      prepare: (as) => Promise.resolve(pathFor(as)),
      before: 'never',
      held: stored(SEALED_GIT_PASSWORDS),
    },
    [`PATCH ${operation}/{credential_id} .password`]: {
      body: (password) => ({ username: 'other', password }),
      prepare: (as, password) => made(as, pathFor(as), { ...fields, password }),
      before: 'always',
      held: stored(SEALED_GIT_PASSWORDS),
    },
  };
}

/** What a start brings stands before what its user keeps under the same name. */
function start(operation: string): Record<string, Place> {
  return {
    [`POST ${operation} .secrets`]: {
      body: (value) => ({ secrets: { TOKEN: value } }),
      prepare: async (as, value) => {
        if (value !== undefined) await send(as, 'POST', '/api/v1/secrets', { name: 'TOKEN', value });
        return operation;
      },
      held: handedToAgents,
    },
  };
}

async function newCaller(): Promise<TestCaller> {
  const { db } = doubled.service.app;
  return makeCaller(db, (await makeOrg(db)).id, 'owner');
}

async function send(as: TestCaller, method: string, path: string, body: Body): Promise<number> {
  return (await call(doubled.service.app, method, path, { key: as.key, body })).status;
}

/** Makes one of a list. @returns its path */
async function made(as: TestCaller, path: string, body: Body): Promise<string> {
  const { body: answer } = await call<{ id: string }>(doubled.service.app, 'POST', path, {
    key: as.key,
    body,
  });
  return `${path}/${answer.id}`;
}

/** The path of the request of a place, after what it changes was made: by the same request, unless the place says how. */
async function pathIn(
  title: string,
  { prepare, body }: Place,
  as: TestCaller,
  secret: string | undefined,
): Promise<string> {
  if (prepare !== undefined) return prepare(as, secret);
  const [, path = ''] = title.split(' ');
  if (secret !== undefined) await send(as, methodOf(title), path, body(secret));
  return path;
}

function methodOf(title: string): string {
  return title.split(' ')[0] ?? '';
}

function ofOrganization({ orgId }: TestCaller, path: string): string {
  return `/api/organizations/${orgId}/${path}`;
}

/** Reads what is sealed in a column for a person or their organization. */
function stored({ table, column, contextOf }: SealedColumn): Place['held'] {
  return async ({ userId, orgId }) => {
    const { app, db } = doubled.service.app;
    const rows = await db.query<{ id: string; sealed: string }[]>(
      `SELECT id, ${column} AS sealed FROM ${table} AS kept WHERE kept::text ~ $1 AND ${column} IS NOT NULL`,
      [`${userId}|${orgId}`],
    );
    const box = app.get(SecretBox);
    return rows.map(({ id, sealed }) => box.open(sealed, contextOf(id)));
  };
}

/** The secrets that agents of a person's conversations got. */
async function handedToAgents({ userId }: TestCaller): Promise<string[]> {
  const { db } = doubled.service.app;
  const tasks = await eventually(async () => {
    const found = await db.query<{ status: string; conversation_id: string }[]>(
      'SELECT status, conversation_id FROM start_tasks WHERE created_by_user_id = $1',
      [userId],
    );
    expect(found.filter(({ status }) => status !== 'READY')).toEqual([]);
    return found;
  });
  return tasks.flatMap(({ conversation_id: id }) =>
    doubled.double
      .arrived(startOf(id))
      .map(({ body }) =>
        JSON.stringify(z.looseObject({ secrets: z.unknown() }).parse(JSON.parse(body)).secrets),
      ),
  );
}
