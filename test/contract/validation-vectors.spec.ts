import { isDeepStrictEqual } from 'node:util';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeKey, makeMember } from '../support/service/factories';
import { sendRaw } from '../support/service/raw-request';
import {
  bodyOf,
  comparableVectors,
  detailsOf,
  expectedOutcomes,
  issuesOf,
  placesOf,
  type Outcome,
  type Vector,
} from '../support/validation-vectors';

/** The organization that the vectors name. */
const ORG_ID = '11111111-2222-4333-8444-555555555555';

/** The preview would fetch valid registrations from their sources, so its requests are validated without HTTP. */
const sendable = comparableVectors().filter(
  ({ tags, status }) => !(tags.includes('marketplace-skills') && status === 200),
);
const operations = [...new Set(sendable.map(({ tags }) => tags[0] ?? ''))];

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  await app.db.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [ORG_ID, 'Of the vectors']);
  const owner = await makeMember(app.db, ORG_ID, 'owner');
  ({ key } = await makeKey(app.db, owner.id));
});
afterAll(() => app.close());

async function send(vector: Vector): Promise<Outcome & { readonly body: unknown }> {
  const { status, body } = await sendRaw(app.url, {
    method: vector.method,
    target: vector.path + (vector.query === '' ? '' : `?${vector.query}`),
    headers: { ...vector.headers, 'x-access-token': key },
    body: bodyOf(vector),
  });
  return { status, issues: issuesOf(body), body };
}

/** A vector with status 200 only says that the request is valid, not what the service does with it. */
function isAsExpected(outcome: Outcome, expected: Outcome): boolean {
  if (expected.status === 200) return outcome.status !== 422 && outcome.issues.length === 0;
  return JSON.stringify(placesOf(outcome)) === JSON.stringify(placesOf(expected));
}

/** The responses that differ from the recorded ones. */
async function differencesIn(vectors: readonly Vector[]): Promise<unknown[]> {
  const differences: unknown[] = [];
  for (const vector of vectors) {
    const outcome = await send(vector);
    const expected = expectedOutcomes(vector);
    const right = expected.find((one) => isAsExpected(outcome, one)) ?? expected[0]!;
    const [got, wanted] =
      right.status === 200 ? [placesOf(outcome), placesOf(right)] : [detailsOf(outcome), detailsOf(right)];
    const isRight = isAsExpected(outcome, right) && (right.status === 200 || isDeepStrictEqual(got, wanted));
    if (!isRight) differences.push({ id: vector.id, note: vector.note, got, wanted });
  }
  return differences;
}

describe.each(operations)('requests of %s', (operation) => {
  const vectors = sendable.filter(({ tags }) => tags[0] === operation);

  it('get the status and the issues that clients expect', async () => {
    expect(await differencesIn(vectors)).toEqual([]);
  });
});
