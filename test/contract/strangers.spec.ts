import { isDeepStrictEqual } from 'node:util';
import type { TestApp } from '../support/service/app';
import { makeKey, type TestUser } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { rowDigests } from '../support/database/row-digests';
import { Company, type Credential, CREDENTIALS } from '../support/identity/credentials';
import { type DocumentedOperation, operationsOf } from './operations';
import { exampleOf, isOfSomething, Tenant } from './tenant';

/** Kept under a name of one's own choosing: it makes what is not there. */
const MAKES = new Set(['saveUserLlmProfile', 'saveOrgLlmProfile', 'saveAgentProfile', 'saveOrgAgentProfile']);

let company: Company;
let app: TestApp;
let operations: DocumentedOperation[];
let tenant: Tenant;
let nothing: Tenant;
beforeAll(async () => {
  company = await Company.start({ APP_ROLE: 'api' });
  ({ app } = company);
  operations = operationsOf(app).filter(({ security }) => security.includes('X-Access-Token'));
  tenant = await Tenant.make(app, operations);
  nothing = tenant.withNothing();
});
afterAll(() => company.close());

/** Those that find something by its id. */
const finding = () =>
  operations.filter((each) => isOfSomething(each) && !MAKES.has(each.operation.operationId ?? ''));
const inOrganization = () => operations.filter(({ organization }) => organization !== 'none');

type Headers = Credential['headers'];

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  /** Of no error, whose text may name what was asked for. */
  readonly content: unknown;
}

async function answer(
  operation: Pick<DocumentedOperation, 'method' | 'operation'>,
  path: string,
  headers: Headers,
): Promise<Answer> {
  const body = exampleOf(operation);
  const { status, body: said } = await call<Partial<ErrorBody> | null>(app, operation.method, path, {
    headers,
    ...(body !== undefined && { body }),
  });
  return { status, code: said?.code, content: status < 400 ? said : undefined };
}

/** Who asks, from which organization. */
interface Asker {
  readonly orgId: string;
  readonly headers: Headers;
}

/** What is answered to who asks for things by their ids; of a stream, which does not end, how it would begin. */
function found(operation: DocumentedOperation, things: Tenant, { orgId, headers }: Asker): Promise<Answer> {
  const isStream = JSON.stringify(operation.operation.responses).includes('text/event-stream');
  const asked = isStream ? { ...operation, method: 'HEAD' } : operation;
  return answer(asked, things.address(operation, orgId), headers);
}

/** What is answered where there is nothing. */
async function notFound(operation: DocumentedOperation, asker: Asker): Promise<Answer> {
  // An id that nothing has is one that whoever asks may give to a conversation: it has a queue of theirs already.
  if (operation.path.includes('/pending-messages'))
    return { status: 404, code: 'conversation_not_found', content: undefined };
  return found(operation, nothing, asker);
}

/** Asserts that things are for somebody as if they were nowhere. */
async function expectNothingOf(
  things: Tenant,
  asker: Asker,
  isAsked: (operation: DocumentedOperation['operation']) => boolean = () => true,
): Promise<void> {
  const told = finding().map(async (operation) => {
    if (!isAsked(operation.operation)) return;
    const answered = await found(operation, things, asker);
    expect([operation.title, answered]).toEqual([operation.title, await notFound(operation, asker)]);
  });
  await Promise.all(told);
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

  it('finds nothing of others by their ids from its own organization, as if it were nowhere', () =>
    expectNothingOf(tenant, { orgId: company.owner.orgId, headers: credential.headers }));
});

/** Those that count in one organization only. */
const BOUND = [
  'a key of a device login',
  'a session by a provider of the organization',
  'a JWT of a provider of the organization',
] as const;

it.each(BOUND)('%s finds nothing that its person has in another organization', async (kind) => {
  const { userId, boundOrgId, headers } = await CREDENTIALS[kind](company);
  const { orgId } = company.owner;
  expect(boundOrgId).toBe(orgId);
  const [person] = await app.db.query<[TestUser]>('SELECT id, email, name FROM users WHERE id = $1', [
    userId,
  ]);
  const theirs = await Tenant.make(app, operations, person);
  const before = await rowDigests(app.db);
  // By their user id they find their sessions where they ask.
  await expectNothingOf(theirs, { orgId, headers }, ({ operationId }) => operationId !== 'listOrgSessions');
  expect(await rowDigests(app.db)).toEqual(before);
});

describe('whose the things are', () => {
  /** What is answered there as where there is nothing, by operations that are asked one after the other. */
  async function notFoundAmong(
    wanted: readonly DocumentedOperation[],
    things: Tenant,
  ): Promise<readonly string[]> {
    const { orgId } = things;
    // Not the key that is among the things.
    const { key } = await makeKey(app.db, things.owner.userId, { orgId });
    const asker = { orgId, headers: { 'X-Access-Token': key } };
    const titles: string[] = [];
    for (const operation of wanted) {
      const expected = await notFound(operation, asker);
      const answered = await found(operation, things, asker);
      if (isDeepStrictEqual(answered, expected)) titles.push(operation.title);
    }
    return titles;
  }

  it('finds and changes each of them by the same ids', async () => {
    const isLast = ({ path }: DocumentedOperation) => Number(/\/rename$|\/erasures\//.test(path));
    const wanted = finding().filter(({ method }) => method !== 'DELETE');
    wanted.sort((a, b) => isLast(a) - isLast(b));
    expect(await notFoundAmong(wanted, tenant)).toEqual([]);
  });

  it('deletes each of them by the same ids', async () => {
    const wanted = finding().filter(({ method }) => method === 'DELETE');
    // What is within something before that.
    wanted.sort((a, b) => b.path.length - a.path.length);
    expect(await notFoundAmong(wanted, await Tenant.make(app, operations))).toEqual([]);
  });
});
