import { isRecord } from '../../src/kernel/common';
import { openApiDocument } from '../../src/kernel/http';
import { startTestApp, type TestApp } from '../support/service/app';
import { call } from '../support/service/http';
import { sendRaw } from '../support/service/raw-request';
import { type DocumentedOperation, operationsOf } from './operations';
import { exampleOf, Tenant } from './tenant';

/** NUL and a lone surrogate, which PostgreSQL cannot hold. */
const TEXT = 'a\u0000\ud800';
const IN_ADDRESS = 'a%00';
/** Objects in objects, as far as bodies of models go on. */
const DEEPEST = 6;

/** Where a value is in a body: names of fields and numbers of items. */
type Place = readonly (string | 0)[];

let app: TestApp;
let tenant: Tenant;
let operations: DocumentedOperation[];
let schemas: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  schemas = openApiDocument(app.app).components?.schemas ?? {};
  operations = operationsOf(app);
  tenant = await Tenant.make(app, operations);
});
afterAll(() => app.close());
// Whoever has lost their rights meanwhile is refused before any text is looked at.
afterEach(async () => {
  const path = tenant.path('/api/organizations/{org_id}/budgets');
  expect((await call(app, 'GET', path, { key: tenant.owner.key })).status).toBe(200);
});

/** The texts that a schema has, as deep as they are, and names of fields that callers choose. */
function textsIn(schema: unknown, place: Place = []): Place[] {
  if (!isRecord(schema) || place.length > DEEPEST) return [];
  const { $ref, allOf, anyOf, oneOf, properties, additionalProperties, items, type } = schema;
  if (typeof $ref === 'string') return textsIn(schemas[$ref.split('/').at(-1) ?? ''], place);
  return [
    ...[allOf, anyOf, oneOf]
      .flatMap((each): unknown[] => (Array.isArray(each) ? each : []))
      .flatMap((each) => textsIn(each, place)),
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, each]) =>
      textsIn(each, [...place, name]),
    ),
    ...(additionalProperties === undefined
      ? []
      : [[...place, TEXT], ...textsIn(additionalProperties, [...place, 'a'])]),
    ...textsIn(items, [...place, 0]),
    ...([type].flat().includes('string') ? [place] : []),
  ];
}

/** A body with the text at a place, which is made where it is not there. */
function withText(body: unknown, [first, ...others]: Place): unknown {
  if (first === undefined) return TEXT;
  if (first === 0) return [withText(Array.isArray(body) ? (body[0] as unknown) : undefined, others)];
  const fields = isRecord(body) ? body : {};
  return { ...fields, [first]: withText(fields[first], others) };
}

function schemaOf({ operation }: DocumentedOperation): unknown {
  const body = operation.requestBody;
  return body === undefined || '$ref' in body ? undefined : body.content['application/json']?.schema;
}

/** The status where it is none of those that callers are to be given. */
async function unhandled(
  { method, operation }: DocumentedOperation,
  target: string,
  body: unknown,
): Promise<number[]> {
  const isStream = Reflect.has(operation, 'x-stream');
  const { status } = await sendRaw(app.url, {
    method: isStream ? 'HEAD' : method,
    target,
    headers: {
      'x-access-token': tenant.owner.key,
      'x-org-id': tenant.orgId,
      'content-type': 'application/json',
    },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  });
  return status >= 500 && status !== 503 ? [status] : [];
}

describe('texts that PostgreSQL cannot hold', () => {
  it('are answered in every text of every body', async () => {
    const found: unknown[] = [];
    for (const operation of operations) {
      const example = exampleOf(operation);
      for (const place of textsIn(schemaOf(operation))) {
        const statuses = await unhandled(operation, tenant.address(operation), withText(example, place));
        found.push(...statuses.map((status) => [operation.title, place.join('.'), status]));
      }
    }
    expect(found).toEqual([]);
  });

  it('are answered in every parameter of every query', async () => {
    const found: unknown[] = [];
    for (const operation of operations)
      for (const parameter of operation.operation.parameters ?? []) {
        if ('$ref' in parameter || parameter.in !== 'query') continue;
        const address = new URL(tenant.address(operation), app.url);
        address.searchParams.delete(parameter.name);
        const target = `${address.pathname}?${address.searchParams.toString()}&${parameter.name}=${IN_ADDRESS}`;
        const statuses = await unhandled(operation, target, exampleOf(operation));
        found.push(...statuses.map((status) => [operation.title, parameter.name, status]));
      }
    expect(found).toEqual([]);
  });

  it('are answered in every parameter of every path', async () => {
    const found: unknown[] = [];
    for (const operation of operations)
      for (const [parameter] of operation.path.matchAll(/\{[^}]*\}/g)) {
        const path = operation.path.replace(parameter, IN_ADDRESS);
        const target = tenant.address({ ...operation, path });
        const statuses = await unhandled(operation, target, exampleOf(operation));
        found.push(...statuses.map((status) => [operation.title, parameter, status]));
      }
    expect(found).toEqual([]);
  });
});
