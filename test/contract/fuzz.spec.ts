import * as fc from 'fast-check';
import { openApiDocument } from '../../src/kernel/http';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg } from '../support/service/factories';
import { sendRaw, type RawResponse } from '../support/service/raw-request';
import { issuesOf } from '../support/validation-vectors';
import { awakeMs } from '../support/awake-clock';
import { timeBound } from '../support/time-bound';
import { isLong, rounds } from '../support/rounds';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly hasBody: boolean;
}

/** Statuses that a healthy service may return for a nonsensical request; 503 is for a driver that is off. */
const SANE = new Set([200, 201, 204, 302, 303, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 503]);
const RUNS = rounds(25, 8);
/** The short form says whether a change broke something: it tries the same each time. What nobody knows of is for the long one. */
const SEED = isLong ? {} : { seed: 1 };

let app: TestApp;
let key: string;
let orgId: string;
let operations: Operation[];

beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  const org = await makeOrg(app.db);
  orgId = org.id;
  operations = operationsOf(app);
  key = (await makeCaller(app.db, orgId, 'owner')).key;
});
afterAll(() => app.close());

function operationsOf({ app: nest }: TestApp): Operation[] {
  return Object.entries(openApiDocument(nest).paths).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      // A stream does not end: its head says what it would be.
      const sent = Reflect.has(operation, 'x-stream') ? 'HEAD' : method.toUpperCase();
      const parameters = (operation.parameters ?? []).flatMap((parameter) =>
        'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
      );
      const name = `${method.toUpperCase()} ${path}`;
      return [
        {
          name,
          method: sent,
          path,
          parameters,
          hasBody: operation.requestBody !== undefined,
        },
      ];
    }),
  );
}

function send(
  operation: Operation,
  query: string,
  body: Buffer | string,
  pathValue = orgId,
): Promise<RawResponse> {
  const path = operation.path.replace(/\{[^}]+\}/g, pathValue);
  return sendRaw(app.url, {
    method: operation.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: { 'x-access-token': key, 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
}

function expectSane({ method }: Operation, response: RawResponse): void {
  expect(SANE).toContain(response.status);
  // The head of a stream comes without its faults.
  if (response.status === 422 && method !== 'HEAD') expect(issuesOf(response.body).length).toBeGreaterThan(0);
}

const oddities = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  '\u0000',
  '\ud800',
  'a@b.co',
  'user',
  [],
  {},
  [null],
  'é😀',
  '2030-01-01',
);
const values = fc.oneof(
  oddities,
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'role', 'content', 'name'), fc.jsonValue()),
);

/** Bodies with the keys of real ones and arbitrary values. */
function bodies(): fc.Arbitrary<string> {
  const names = fc.constantFrom(
    ...[
      'role',
      'content',
      'run',
      'emails',
      'name',
      'expires_at',
      'title',
      'tags',
      'token',
      'org_id',
      'id',
      'secrets',
      'mode',
    ],
    ...[
      'registered_marketplaces',
      'max_budget_per_task',
      'initial_message',
      'pr_number',
      'plugins',
      'source',
      '__proto__',
    ],
  );
  const object = fc.dictionary(names, values);
  const text = fc
    .oneof(object, fc.array(object, { maxLength: 3 }), values)
    .map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 4, arbitrary: text },
    fc.string({ unit: 'binary' }),
    text.map((whole) => whole.slice(0, -1)),
  );
}

function queries(operation: Operation): fc.Arbitrary<string> {
  const name = operation.parameters.length > 0 ? fc.constantFrom(...operation.parameters) : fc.constant('q');
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      '-1',
      '99999999999999999999999',
      '%00',
      '%zz',
      '%C3',
      '%ED%A0%80',
      'x',
      '%F0%9F%98%80',
    ),
    fc.string().map(encodeURIComponentSafely),
  );
  return fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

it('answers random queries of every operation without an unhandled error', async () => {
  for (const operation of operations) {
    await fc.assert(
      fc.asyncProperty(queries(operation), async (query) =>
        expectSane(operation, await send(operation, query, '')),
      ),
      { numRuns: RUNS, ...SEED },
    );
  }
});

it('answers random ids in every path without an unhandled error', async () => {
  const ids = fc.constantFrom(
    'x',
    '%00',
    '%20',
    '%C3%28',
    '0',
    '-1',
    '99999999999999999999',
    '%F0%9F%98%80',
    'a.b',
    '%zz',
  );
  for (const operation of operations.filter(({ path }) => path.includes('{'))) {
    await fc.assert(
      fc.asyncProperty(ids, async (id) =>
        expectSane(operation, await send(operation, '', operation.hasBody ? '{}' : '', id)),
      ),
      { numRuns: rounds(10, 5), ...SEED },
    );
  }
});

it('answers random bodies of every operation without an unhandled error', async () => {
  for (const operation of operations.filter(({ hasBody }) => hasBody)) {
    await fc.assert(
      fc.asyncProperty(bodies(), async (body) => expectSane(operation, await send(operation, '', body))),
      { numRuns: RUNS, ...SEED },
    );
  }
});

it('answers hostile bodies of every operation promptly', async () => {
  const hostile: readonly string[] = [
    '['.repeat(1_000_000),
    '{"a":'.repeat(200_000),
    `[${'{},'.repeat(10_000)}{}]`,
    `{"content":[${'5,'.repeat(10_000)}5]}`,
    `{"emails":[${'"@",'.repeat(99)}"@"]}`,
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    '{"name":"\\ud800","role":"\\ud800","content":"\\ud800"}',
    '{"name":1234567890123456789012345,"pr_number":[1234567890123456789012345]}',
    `"${'\\u0000'.repeat(100_000)}"`,
    ' '.repeat(1_000_000),
  ];
  for (const operation of operations.filter(({ hasBody }) => hasBody)) {
    for (const body of hostile) {
      const started = awakeMs();
      const response = await send(operation, '', body);
      expectSane(operation, response);
      expect([operation.name, body.slice(0, 20), awakeMs() - started < timeBound(2_000)]).toEqual([
        operation.name,
        body.slice(0, 20),
        true,
      ]);
    }
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
