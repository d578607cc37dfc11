import type { TestApp } from '../support/service/app';
import { call, type ErrorBody } from '../support/service/http';
import { rowDigests } from '../support/database/row-digests';
import { Company, type Credential, CREDENTIALS } from '../support/identity/credentials';
import { type DocumentedOperation, operationsOf } from './operations';
import { exampleOf, Tenant } from './tenant';

/** Kept under a name of one's own choosing: it makes what is not there. */
const MAKES = new Set([
  ...['saveUserLlmProfile', 'saveOrgLlmProfile', 'saveAgentProfile', 'saveOrgAgentProfile'],
]);

let company: Company;
let app: TestApp;
let operations: DocumentedOperation[];
let tenant: Tenant;
beforeAll(async () => {
  company = await Company.start({ APP_ROLE: 'api' });
  ({ app } = company);
  operations = operationsOf(app).filter(({ security }) => security.includes('X-Access-Token'));
  tenant = await Tenant.make(app, operations);
});
afterAll(() => company.close());

const inOrganization = () => operations.filter(({ organization }) => organization !== 'none');
/** Those whose path names something of an organization. */
const ofSomething = () =>
  operations.filter(
    ({ path, operation }) =>
      path.replace('{org_id}', '').includes('{') && !MAKES.has(operation.operationId ?? ''),
  );

async function answer(
  operation: DocumentedOperation,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; code: string | undefined }> {
  const body = exampleOf(operation);
  const { status, body: said } = await call<Partial<ErrorBody> | null>(app, operation.method, path, {
    headers,
    ...(body !== undefined && { body }),
  });
  return { status, code: said?.code };
}

describe.each(Object.entries(CREDENTIALS))('%s', (_, make) => {
  let credential: Credential;
  let before: Record<string, string>;
  beforeAll(async () => {
    credential = await make(company);
    before = await rowDigests(app.db);
  });
  afterEach(async () => expect(await rowDigests(app.db)).toEqual(before));

  it('is refused by every operation in an organization of others, by path or header', async () => {
    const { boundOrgId } = credential;
    const code = boundOrgId === null ? 'not_a_member' : 'key_bound_to_other_organization';
    for (const operation of inOrganization()) {
      const selected = operation.organization === 'path' ? {} : { 'X-Org-Id': tenant.orgId };
      const headers = { ...credential.headers, ...selected };
      const answered = await answer(operation, tenant.path(operation.path), headers);
      expect([operation.title, answered]).toEqual([operation.title, { status: 403, code }]);
    }
  });

  it('finds nothing of others by its id, as if it were not there', async () => {
    for (const operation of ofSomething()) {
      const [real, nothing] = [
        tenant.path(operation.path, company.owner.orgId),
        tenant.pathOfNothing(operation.path, company.owner.orgId),
      ];
      const answered = await answer(operation, real, credential.headers);
      expect([operation.title, answered]).toEqual([
        operation.title,
        await answer(operation, nothing, credential.headers),
      ]);
      expect([operation.title, [403, 404].includes(answered.status)]).toEqual([operation.title, true]);
    }
  });
});

it('whoever the things are of finds each of them by the same paths', async () => {
  const last = (method: string): number => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
  for (const operation of ofSomething().sort((a, b) => last(a.method) - last(b.method))) {
    const { status } = await answer(operation, tenant.path(operation.path), {
      'X-Access-Token': tenant.owner.key,
    });
    expect([operation.title, status]).not.toEqual([operation.title, 404]);
  }
});
