/**
 * Tests of validation have classes of their own, and all classes are in the document.
 *
 * @jest-environment-options {"sources": "fresh"}
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { isRecord } from '../../src/kernel/common';
import { EVENT_KINDS } from '../../src/conversations/events/retrieval/event-schema';
import { openApiDocument } from '../../src/kernel/http';
import { startTestApp, type TestApp } from '../support/service/app';
import { call } from '../support/service/http';
import { type DocumentedOperation, operationsOf } from './operations';

type Json = Readonly<Record<string, unknown>>;

const ROOT = join(__dirname, '..', '..');
const HEADERS = '#/components/headers/';
const ISSUES = '#/components/schemas/HTTPValidationError';

let app: TestApp;
let operations: DocumentedOperation[];
let schemas: Record<string, Json>;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  operations = operationsOf(app);
  schemas = openApiDocument(app.app).components?.schemas as Record<string, Json>;
});
afterAll(() => app.close());

interface DocumentedResponse {
  readonly title: string;
  readonly status: string;
  readonly headers: Record<string, { $ref: string }>;
  /** For people. */
  readonly isPage: boolean;
  /** Of JSON. */
  readonly schema: Json;
  readonly examples: Record<string, { value: { code?: string; detail: unknown } }>;
}

/** Every response of every operation. */
const responses = (among = operations): DocumentedResponse[] =>
  among.flatMap(({ title, operation }) =>
    Object.entries(operation.responses).map(([status, response]) => {
      const { headers = {}, content = {} } = response as { headers?: object; content?: Json };
      const json = (content['application/json'] ?? {}) as { schema?: Json; examples?: object };
      const isPage = 'text/html' in content;
      return { schema: {}, examples: {}, ...json, title, status, headers, isPage } as DocumentedResponse;
    }),
  );
const errors = () => responses().filter(({ status, isPage }) => /^[45]/.test(status) && !isPage);
const named = (among: readonly DocumentedResponse[]) =>
  among.map(({ title, status }) => `${title} ${status}`);

/** Every schema of the document that is an object's, by where it stands. */
function objectsIn(node: unknown, at: string): [at: string, schema: Json][] {
  if (Array.isArray(node)) return node.flatMap((item, index) => objectsIn(item, `${at}[${index}]`));
  if (!isRecord(node)) return [];
  const inside = Object.entries(node)
    .filter(([key]) => key !== 'example' && key !== 'examples' && key !== 'default')
    .flatMap(([key, value]) => objectsIn(value, `${at}.${key}`));
  return isRecord(node.properties) && node.type === 'object' ? [[at, node], ...inside] : inside;
}

/** The table of docs/errors.md: code to its statuses. */
function documentedCodes(): Map<string, string> {
  const table = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8');
  const rows = [...table.matchAll(/^\| (\d{3}) +\| `(\w+)`/gm)];
  return new Map(rows.map(([, status = '', code = '']) => [code, status]));
}

/** What only pages for people, requests of no operation, the calls of the service itself and extensions meet. */
const OF_NO_OPERATION = [
  'account_disabled',
  'account_exists',
  'account_unverified',
  'address_invalid',
  'automations_unavailable',
  'code_limit_reached',
  'code_void',
  'code_wrong',
  'email_domain_not_verified',
  'headers_too_large',
  'identity_of_service_account',
  'identity_provider_unavailable',
  'logout_token_invalid',
  'model_call_invalid',
  'model_gateway_busy',
  'model_key_invalid',
  'model_not_reachable',
  'model_price_unknown',
  'not_a_form',
  'not_a_person',
  'not_proved_anew',
  'not_provisioned',
  'note_too_large',
  'other_identity',
  'parameter_refused',
  'path_not_found',
  'provider_busy',
  'provider_email_not_verified',
  'provider_key_refused',
  'provider_timeout',
  'provider_unavailable',
  'refused_by_provider',
  'request_malformed',
  'request_timeout',
  'session_from_sandbox',
  'sign_in_mails_exceeded',
  'sign_in_not_begun_here',
  'too_many_new_people',
  'user_code_unknown',
  'user_codes_exceeded',
];

describe('every error of an operation', () => {
  it('has an example for each of its codes, with the status that docs/errors.md gives the code', () => {
    expect(named(errors().filter(({ examples }) => Object.keys(examples).length === 0))).toEqual([]);
    const codes = documentedCodes();
    for (const { title, status, examples } of errors())
      for (const [name, { value }] of Object.entries(examples)) {
        if (Array.isArray(value.detail)) continue;
        expect({ title, code: value.code, status }).toEqual({ title, code: name, status: codes.get(name) });
        expect(value.detail).toMatch(/^\S.*\S$/);
      }
  });

  it('is one of those in docs/errors.md, all of which are somewhere', () => {
    const shown = new Set(errors().flatMap(({ examples }) => Object.keys(examples)));
    const unshown = [...documentedCodes().keys()].filter((code) => !shown.has(code));
    expect(unshown.sort()).toEqual(OF_NO_OPERATION);
  });

  it('has the schema of what its examples tell', () => {
    for (const { title, status, schema, examples } of errors()) {
      const hasIssueList = Object.values(examples).some(({ value }) => Array.isArray(value.detail));
      expect([title, status, JSON.stringify(schema).includes(ISSUES)]).toEqual([title, status, hasIssueList]);
    }
  });
});

describe('the headers of every response', () => {
  const withHeader = (header: string) => named(responses().filter(({ headers }) => header in headers));
  const withStatus = (...statuses: string[]) =>
    named(responses().filter(({ status }) => statuses.includes(status)));

  it('are in the document: the request id everywhere', () => {
    expect(withHeader('X-Request-Id')).toEqual(named(responses()));
    const refs = responses().flatMap(({ headers }) => Object.values(headers).map(({ $ref }) => $ref));
    const known = Object.keys(openApiDocument(app.app).components?.headers ?? {});
    expect(refs.filter((ref) => !known.includes(ref.replace(HEADERS, '')))).toEqual([]);
  });

  it('are in the document: how to authenticate with 401, the methods with 405', () => {
    expect(withHeader('WWW-Authenticate')).toEqual(withStatus('401'));
    expect(withHeader('Allow')).toEqual(withStatus('405'));
  });

  it('are in the document: when to come back with 429, 503 and a key in use', () => {
    const keyed = responses().filter(({ examples }) => 'idempotency_key_in_use' in examples);
    expect(withHeader('Retry-After').sort()).toEqual([...withStatus('429', '503'), ...named(keyed)].sort());
  });

  it('are in the document: that a response is a replay', () => {
    const takesKey = operations.filter(({ operation: { parameters = [] } }) =>
      parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key'),
    );
    expect(takesKey.length).toBeGreaterThan(0);
    const good = responses(takesKey).filter(({ status }) => status.startsWith('2'));
    expect(withHeader('Idempotency-Replayed')).toEqual(named(good));
  });
});

describe('every operation with idempotency keys', () => {
  it('has the 409 and the 422 of a key, whatever else it answers', () => {
    for (const { title, operation } of operations) {
      const keyed = (operation.parameters ?? []).some(
        (parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key',
      );
      const codes = errors()
        .filter((response) => response.title === title)
        .flatMap(({ status, examples }) => Object.keys(examples).map((code) => `${status} ${code}`));
      for (const code of ['409 idempotency_key_in_use', '409 outcome_unknown', '422 idempotency_key_reused'])
        expect([title, code, codes.includes(code)]).toEqual([title, code, keyed]);
    }
  });

  it('says that a replay has null for what is shown once', () => {
    const hidden = operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters.flatMap((parameter) => {
        const said = 'description' in parameter ? parameter.description : undefined;
        const field = /A replay has null for `(\w+)`/.exec(said ?? '')?.[1];
        return field === undefined ? [] : [`${operationId ?? ''}: ${field}`];
      }),
    );
    expect(hidden.sort()).toEqual([
      'createApiKey: key',
      'createScimToken: token',
      'createServiceAccountKey: key',
      'createSignInLink: url',
      'inviteMembers: invite_url',
      'rotateApiKey: key',
    ]);
    const nullable = (name: string, field: string) =>
      JSON.stringify((schemas[name]!.properties as Json)[field]).includes('{"type":"null"}');
    expect([nullable('ApiKeyCreated', 'key'), nullable('InvitationResponse', 'invite_url')]).toEqual([
      true,
      true,
    ]);
    expect(nullable('SignInLink', 'url')).toBe(true);
  });
});

describe('every operation', () => {
  it('says who may call it, public ones that anybody may', () => {
    const unsaid = operations.filter(({ operation }) => operation.security === undefined);
    expect(unsaid.map(({ title }) => title)).toEqual([]);
    const document = openApiDocument(app.app);
    const isPublic = ({ operation }: DocumentedOperation) => operation.security?.length === 0;
    expect(operations.filter(isPublic).some(({ title }) => title === 'GET /alive')).toBe(true);
    expect(document.servers?.map(({ url }) => url)).toEqual(['/']);
  });

  it('is at the path of PUBLIC_URL, in the document and on the page to try it out', async () => {
    const env = { APP_ROLE: 'api', PUBLIC_URL: 'https://example.com/teams/agents/' };
    const below = await startTestApp({ env });
    try {
      expect(openApiDocument(below.app).servers?.map(({ url }) => url)).toEqual(['/teams/agents']);
      const page = await fetch(`${below.url}/docs/swagger-ui-init.js`);
      expect(await page.text()).toMatch(/"url": "\/teams\/agents"/);
    } finally {
      await below.close();
    }
  });
});

describe('every object of the document', () => {
  it('has a description of every property', () => {
    const objects = objectsIn(openApiDocument(app.app), '');
    expect(objects.length).toBeGreaterThan(50);
    const undescribed = objects.flatMap(([at, { properties }]) =>
      Object.entries(properties as Json)
        .filter(([, schema]) => !isRecord(schema) || typeof schema.description !== 'string')
        .map(([name]) => `${at}: ${name}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('is closed where extra keys are refused', () => {
    const closed = Object.entries(schemas).filter(([, schema]) => schema.additionalProperties === false);
    expect(closed.map(([name]) => name)).toEqual([
      'LlmProfileModel',
      'LlmSettingsDiff',
      'ModelsOfRolesUpdate',
      'TextContent',
    ]);
  });

  it('is described once under its name', () => {
    const warned = jest.spyOn(Logger, 'warn').mockImplementation(() => undefined);
    openApiDocument(app.app);
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });
});

describe('events', () => {
  const KNOWN = ['id', 'timestamp', 'source', 'kind'];

  it('are of one component, distinguished by their kind, wherever one is answered', () => {
    const document = JSON.stringify(openApiDocument(app.app));
    expect(document.match(/"\$ref":"#\/components\/schemas\/ConversationEvent"/g)).toHaveLength(3);
    const mapping = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, `#/components/schemas/${kind}`]));
    expect(schemas.ConversationEvent).toMatchObject({
      title: 'ConversationEvent',
      anyOf: [
        { discriminator: { propertyName: 'kind', mapping } },
        { $ref: '#/components/schemas/OtherEvent' },
      ],
    });
  });

  it('of every kind have a schema with their kind and what all have', () => {
    for (const kind of EVENT_KINDS) {
      const { properties, required } = schemas[kind] as { properties: Json; required: string[] };
      expect(properties.kind).toMatchObject({ type: 'string', enum: [kind] });
      expect(required).toEqual(expect.arrayContaining(KNOWN));
    }
  });

  it('of the kind Condensation have the fields of the contract', () => {
    const { properties, required } = schemas.Condensation as { properties: Json; required: string[] };
    expect(required).toEqual(expect.arrayContaining([...KNOWN, 'llm_response_id', 'forgotten_event_ids']));
    expect(properties).toMatchObject({
      summary: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      summary_offset: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
    });
  });
});

describe('the version', () => {
  it('is one: of the package, its lock file and the running service', async () => {
    const versionIn = (file: string) =>
      (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { version: string }).version;
    const { body } = await call<{ version: string }>(app, 'GET', '/server_info');
    const { version } = body;
    expect([versionIn('package.json'), versionIn('package-lock.json')]).toEqual([version, version]);
    expect(openApiDocument(app.app).info.version).toBe('0.0.1');
  });
});
