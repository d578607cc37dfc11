/**
 * Tests of validation have classes of their own, and all classes are in the document.
 *
 * @jest-environment-options {"sources": "fresh"}
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { runCommand } from '../../src/operations/cli/command-line';
import { isRecord } from '../../src/kernel/common';
import { openApiDocument, publishedDocument } from '../../src/kernel/http';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg } from '../support/service/factories';
import { call } from '../support/service/http';
import { type DocumentedOperation, filled, operationsOf } from './operations';

let app: TestApp;
let operations: DocumentedOperation[];
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  operations = operationsOf(app);
});
afterAll(() => app.close());

type Json = Readonly<Record<string, unknown>>;

/** A part of a document with what it refers to in the places of references. */
function resolved(part: unknown, document: Json): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(item, document));
  if (!isRecord(part)) return part;
  if (typeof part.$ref === 'string') {
    const names = part.$ref.slice(2).split('/');
    return resolved(
      names.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), document),
      document,
    );
  }
  return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, resolved(item, document)]));
}

/** The titles of the operations that fail a check. */
const without = (has: (operation: DocumentedOperation) => boolean) =>
  operations.filter((operation) => !has(operation)).map(({ title }) => title);

interface DocumentedResponse {
  readonly content: Readonly<Record<string, { readonly schema?: unknown }>>;
}

/** The request body that Swagger UI prefills. */
function bodyExamplesOf({ operation: { requestBody } }: DocumentedOperation): unknown[] {
  if (requestBody === undefined || !('content' in requestBody)) return [];
  const { content } = requestBody;
  const { examples = {}, schema } =
    content['application/json'] ?? content['application/x-www-form-urlencoded'] ?? {};
  const named = Object.values(examples).flatMap((one) => ('value' in one ? [one.value as unknown] : []));
  return schema && 'example' in schema ? [...named, schema.example as unknown] : named;
}

describe('the OpenAPI document', () => {
  it('is the one in the repository; run npm run openapi when it changed', async () => {
    const committed = readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(publishedDocument(app.app))));
    expect(committed).toBe(`${await runCommand(['openapi'], {})}\n`);
  });

  it('has once what it repeats, and says all that it said before that', () => {
    const whole = JSON.parse(JSON.stringify(openApiDocument(app.app))) as Json;
    const published = JSON.parse(JSON.stringify(publishedDocument(app.app))) as Json;
    expect(resolved(published.paths, published)).toEqual(resolved(whole.paths, whole));
    expect(published).toMatchObject({ ...whole, paths: {} });
    const text = JSON.stringify(published);
    const operations = Object.values(published.paths as Json).flatMap((path) => Object.keys(path as Json));
    expect(text.length / operations.length).toBeLessThan(4_850);
    expect(brotliCompressSync(text).length / operations.length).toBeLessThan(380);
  });

  it('is valid OpenAPI 3.1', async () => {
    const root = join(__dirname, '..', '..');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js', 'openapi.json'],
      { cwd: root },
    );
    expect(JSON.parse(stdout)).toEqual({ valid: true });
  });

  it("passes Redocly's and Spectral's recommended rules", async () => {
    const root = join(__dirname, '..', '..');
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/lint-openapi.mjs'], {
      cwd: root,
    }).catch((error: unknown) => ({
      stdout: error instanceof Error && 'stdout' in error ? error.stdout : error,
    }));
    expect(stdout).toBe('0 problems\n');
  });

  it('is served by the service, together with Swagger UI', async () => {
    const { body } = await call<{ openapi: string; info: { version: string } }>(app, 'GET', '/openapi.json');
    expect([body.openapi, body.info.version]).toEqual(['3.1.0', '0.0.1']);
    expect((await call(app, 'GET', '/docs')).status).toBe(200);
  });

  it('gives every operation a unique id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => id === undefined || ids.indexOf(id) !== index)).toEqual([]);
    // Generated clients use them as function names, where a single word says nothing.
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)+$/.test(id ?? ''))).toEqual([]);
  });

  it('puts every operation under one described tag', () => {
    const groups = new Map(
      (openApiDocument(app.app).tags ?? []).map(({ name, description }) => [name, description]),
    );
    expect(
      without(({ operation: { tags = [] } }) => tags.length === 1 && Boolean(groups.get(tags[0] ?? ''))),
    ).toEqual([]);
  });

  it('describes every operation', () => {
    expect(without(({ operation }) => Boolean(operation.summary) && Boolean(operation.description))).toEqual(
      [],
    );
  });

  it('describes every parameter', () => {
    const undescribed = operations.flatMap(({ title, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => !('description' in parameter) || !parameter.description)
        .map((parameter) => `${title}: ${'name' in parameter ? parameter.name : ''}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('has an example of every parameter, and prefills no optional one', () => {
    const parameters = operations.flatMap(({ title, operation }) =>
      (operation.parameters ?? []).flatMap((parameter) =>
        'in' in parameter ? [{ ...parameter, title: `${title}: ${parameter.name}` }] : [],
      ),
    );
    const shown = parameters.filter(({ schema = {} }) =>
      ['example', 'examples', 'default'].some((key) => key in schema),
    );
    expect(parameters.filter((one) => !shown.includes(one)).map(({ title }) => title)).toEqual([]);
    const sent = parameters.filter(({ required, schema = {} }) => required !== true && 'example' in schema);
    expect(sent.map(({ title }) => title)).toEqual([]);
  });

  it('has valid examples of every request body', async () => {
    const owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const withBody = operations.filter(({ operation }) => operation.requestBody !== undefined);
    expect(withBody.filter((one) => bodyExamplesOf(one).length === 0).map(({ title }) => title)).toEqual([]);
    for (const one of withBody.filter(({ security }) => security.includes('X-Access-Token')))
      for (const body of bodyExamplesOf(one)) {
        const { key } = owner;
        const { status } = await call(app, one.method, filled(one.path, owner.orgId), { key, body });
        expect([one.title, body, status]).not.toEqual([one.title, body, 422]);
      }
  });

  it('has a schema of every response with content', () => {
    const bare = ({ operation }: DocumentedOperation) =>
      Object.entries(operation.responses).filter(
        ([status, response]) =>
          status !== '204' &&
          !(
            'content' in (response ?? {}) &&
            Object.values((response as DocumentedResponse).content).every((of) => of.schema)
          ),
      );
    expect(without((one) => bare(one).length === 0)).toEqual([]);
  });

  it('has a success response of every operation, and the errors common to all of its kind', () => {
    const statuses = ({ operation }: DocumentedOperation) => Object.keys(operation.responses);
    expect(without((o) => statuses(o).some((status) => status.startsWith('2')))).toEqual([]);
    const closed = (o: DocumentedOperation) => o.security.length > 0;
    for (const status of ['401', '500', '503'])
      expect(without((o) => !closed(o) || statuses(o).includes(status))).toEqual([]);
    const inOrg = (o: DocumentedOperation) => o.organization !== undefined && o.organization !== 'none';
    expect(without((o) => !inOrg(o) || statuses(o).includes('403'))).toEqual([]);
    const hasBody = (o: DocumentedOperation) => o.operation.requestBody !== undefined;
    expect(without((o) => !hasBody(o) || statuses(o).includes('413'))).toEqual([]);
    const hasIssueList = ({ operation: { responses } }: DocumentedOperation, status: string) =>
      JSON.stringify(responses[status] ?? {}).includes('HTTPValidationError');
    expect(without((o) => !hasBody(o) || hasIssueList(o, '422') || hasIssueList(o, '400'))).toEqual([]);
    const ofPath = (o: DocumentedOperation) => o.path.includes('{org_id}');
    expect(without((o) => !ofPath(o) || statuses(o).includes('422'))).toEqual([]);
  });
});
