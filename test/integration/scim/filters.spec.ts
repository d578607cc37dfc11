import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { selectUsers } from '../../../src/accounts/scim/users/scim-users.read-model';
import { loadLibraries } from '../../../src/accounts/scim/protocol/libraries';
import { filters, people, storedResource } from '../../support/scim/filter-model';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeOrg } from '../../support/service/factories';

const RUNS = 150;

let app: TestApp;
let orgId: string;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  orgId = (await makeOrg(app.db)).id;
});
afterAll(() => app.close());

it.each([
  ['emails[primary ne true].value eq "A"', []],
  ['emails[primary ne true] and emails.value eq "A"', ['ada']],
  ['(emails[primary ne true]) and (emails.value eq "A")', ['ada']],
  ['emails[primary eq true].value sw "a" and emails.value eq "b"', ['ada']],
  ['not emails[primary ne true]. value eq "b"', []],
  ['urn:ietf:params:scim:schemas:core:2.0:User:emails.value eq "B"', ['ada']],
  ['urn:ietf:params:scim:schemas:core:2.0:User:emails eq "c"', []],
])(
  'what stands behind brackets is asked of the same value, and nothing else is: %s',
  async (filter, found) => {
    const emails = [{ value: 'a', primary: true }, { value: 'b' }];
    await app.db.query('DELETE FROM scim_users WHERE org_id = $1', [orgId]);
    await app.db.query(
      `INSERT INTO scim_users (org_id, id, email, active, resource) VALUES ($1, $2, 'ada@example.com', true, $3)`,
      [orgId, randomUUID(), { userName: 'ada', emails }],
    );
    const request = { filter, startIndex: 1, count: 9, projection: { only: null, without: [] } };
    const { rows } = await selectUsers(app.db, orgId, request, await loadLibraries());
    expect(rows.map(({ resource }) => resource['userName'])).toEqual(found);
  },
);

it('a filter finds in the database whom it is meant to find, in pages and in all', async () => {
  const libraries = await loadLibraries();
  await fc.assert(
    fc.asyncProperty(people, fc.array(filters, { minLength: 1, maxLength: 5 }), async (all, asked) => {
      await app.db.query('DELETE FROM scim_users WHERE org_id = $1', [orgId]);
      await app.db.query('DELETE FROM users');
      for (const [place, person] of all.entries()) {
        const email = `${place}@example.com`;
        await app.db.query(
          `INSERT INTO scim_users (org_id, id, email, active, resource, created_at)
           VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')`,
          [orgId, randomUUID(), email, person.active, storedResource(person), place],
        );
        // Whoever is active is a member.
        await app.db.query(
          `WITH made AS (INSERT INTO users (id, email) VALUES (gen_random_uuid(), $2) RETURNING id)
           INSERT INTO org_members (org_id, user_id, role) SELECT $1, id, 'member' FROM made`,
          [orgId, email],
        );
      }
      for (const { text, fits } of asked) {
        const request = { filter: text, count: 200, projection: { only: null, without: [] } };
        const { rows, total } = await selectUsers(app.db, orgId, { ...request, startIndex: 1 }, libraries);
        const wanted = all.filter(fits).map(({ userName }) => userName);
        expect([text, rows.map(({ resource }) => resource['userName'])]).toEqual([text, wanted]);
        expect(total).toBe(wanted.length);
        const second = await selectUsers(app.db, orgId, { ...request, startIndex: 2, count: 1 }, libraries);
        expect(second.rows.map(({ resource }) => resource['userName'])).toEqual(wanted.slice(1, 2));
      }
    }),
    { numRuns: RUNS },
  );
});
