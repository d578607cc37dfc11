import type { TestApp } from '../support/service/app';
import { call, type ErrorBody } from '../support/service/http';
import { rowDigests } from '../support/database/row-digests';
import { Company, type Credential, CREDENTIALS } from '../support/identity/credentials';
import { type DocumentedOperation, operationsOf } from './operations';
import { exampleOf, Tenant } from './tenant';

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
});
