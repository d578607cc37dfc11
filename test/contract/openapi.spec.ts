import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../src/command-line';
import { openApiDocument } from '../../src/http';
import { startTestApp, type TestApp } from '../support/app';
import { call } from '../support/http';
import { type DocumentedOperation, operationsOf } from './operations';

let app: TestApp;
let operations: DocumentedOperation[];
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  operations = operationsOf(app);
});
afterAll(() => app.close());

/** The titles of the operations that lack something. */
const without = (has: (operation: DocumentedOperation) => boolean) =>
  operations.filter((operation) => !has(operation)).map(({ title }) => title);

describe('the OpenAPI document', () => {
  it('is the one in the repository; run npm run openapi when it changed', async () => {
    const committed = readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(openApiDocument(app.app))));
    expect(committed).toBe(`${await runCommand(['openapi'], {})}\n`);
  });

  it('is answered by the service, beside the page to try it out', async () => {
    const { body } = await call<{ openapi: string; info: { version: string } }>(app, 'GET', '/openapi.json');
    expect([body.openapi, body.info.version]).toEqual(['3.1.0', '0.0.1']);
    expect((await call(app, 'GET', '/docs')).status).toBe(200);
  });

  it('names every operation by itself', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => id === undefined || ids.indexOf(id) !== index)).toEqual([]);
  });

  it('says of every operation what it is for', () => {
    expect(without(({ operation }) => Boolean(operation.summary))).toEqual([]);
  });

  it('describes every parameter', () => {
    const undescribed = operations.flatMap(({ title, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => !('description' in parameter) || !parameter.description)
        .map((parameter) => `${title}: ${'name' in parameter ? parameter.name : ''}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('has a good answer of every operation, and every bad one that all of its kind have', () => {
    const answers = ({ operation }: DocumentedOperation) => Object.keys(operation.responses);
    expect(without((o) => answers(o).some((status) => status.startsWith('2')))).toEqual([]);
    const closed = (o: DocumentedOperation) => o.security.length > 0;
    for (const status of ['401', '500', '503'])
      expect(without((o) => !closed(o) || answers(o).includes(status))).toEqual([]);
    const inOrg = (o: DocumentedOperation) => o.organization !== undefined && o.organization !== 'none';
    expect(without((o) => !inOrg(o) || answers(o).includes('403'))).toEqual([]);
    const hasBody = (o: DocumentedOperation) => o.operation.requestBody !== undefined;
    for (const status of ['413', '422'])
      expect(without((o) => !hasBody(o) || answers(o).includes(status))).toEqual([]);
    const ofPath = (o: DocumentedOperation) => o.path.includes('{org_id}');
    expect(without((o) => !ofPath(o) || answers(o).includes('422'))).toEqual([]);
  });
});
