import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityOf, API_ACTIVITY, AUTHENTICATION } from './ocsf-classes';

const OTHER = 99;

/** Operations that neither create, read, update nor delete anything. */
const NEITHER = ['relayCall', 'testIdentityProvider', 'testWebhook', 'reportApiKey'];
const REPLAYS = ['replayWebhookDelivery', 'replayWebhookDeliveries'];

function operations(): string[] {
  const file = join(__dirname, '..', '..', '..', '..', '..', 'openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
}

describe('an action in OCSF', () => {
  it('is an activity that its class has', () => {
    for (const action of operations()) {
      const { of, id } = activityOf(action, 200);
      expect([action, of.activities[id]]).toEqual([action, expect.any(String)]);
    }
  });

  it('says what a call does, for every operation but a few', () => {
    const others = operations().filter((action) => {
      const { of, id } = activityOf(action, 200);
      return of === API_ACTIVITY && id === OTHER;
    });
    expect(others.toSorted()).toEqual([...NEITHER, ...REPLAYS].toSorted());
  });

  it.each([
    ['createWebhook', 200, 6003, 1],
    ['listOrgConversations', 200, 6003, 2],
    ['renameOrganization', 200, 6003, 3],
    ['deleteWebhook', 200, 6003, 4],
    ['key:issue', null, 6003, 1],
    ['org:create', null, 6003, 1],
    ['user:disable', null, 3001, 5],
    ['createServiceAccount', 201, 3001, 1],
    ['changeMemberRole', 403, 3005, 1],
    ['removeMember', 200, 3005, 2],
    ['endSession', 200, 3002, 2],
    ['createWebhook', 401, 3002, 1],
    ['what nobody knows', 200, 6003, OTHER],
  ])('%s with status %s is of class %s, activity %s', (action, status, uid, id) => {
    expect(activityOf(action, status)).toMatchObject({ of: { uid }, id });
  });

  it('of a credential that was refused is a failed logon', () => {
    for (const action of operations()) expect(activityOf(action, 401)).toEqual({ of: AUTHENTICATION, id: 1 });
  });
});
