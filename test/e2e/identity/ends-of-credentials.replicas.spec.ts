import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { Company, type Credential, CREDENTIALS } from '../../support/identity/credentials';
import { storeConversation } from '../../support/queue/conversation-rows';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { insertSandbox } from '../../support/sandbox-access/door-service';
import { FarServer } from '../../support/sandbox-access/far-server';
import { Directory } from '../../support/scim/directory';
import { freePort } from '../../support/service/free-port';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';
import { StreamReader } from '../../support/streams/stream-reader';
import { rounds } from '../../support/rounds';
import { timeBound } from '../../support/time-bound';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';

const WITHIN_MS = 1_000;
/** On a machine that is busy otherwise, `timeBound` allows more, up to this. */
const AT_MOST_MS = 4_000;
const ASK_EVERY_MS = 15;
/** Asked for so much longer than anything may take, or has taken. */
const LONGER_MS = 500;
/**
 * How long after everything was answered the end comes: at once, when all that the other replica remembers is new, and later, at
 * another time between two of its checks of what is open.
 */
const AFTER_MS = [0, 430].slice(0, rounds(2, 1));

let company: Company;
let far: FarServer;
let directory: Directory;
let folder: string;
let replica: ServiceProcess;
/** The replica where credentials are used; what ends them is done at the one of the company. */
let other: { readonly url: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ends-of-credentials-'));
  far = await FarServer.start();
  company = await Company.start({
    APP_ROLE: 'api',
    SANDBOX_DRIVER: 'process',
    SANDBOX_ISOLATION: 'none',
  });
  directory = await Directory.make(company.app, company.owner);
  const port = await freePort();
  replica = ServiceProcess.start({
    ...company.env,
    PORT: String(port),
    DATABASE_URL: company.app.database.url,
    DATA_DIR: folder,
    SECRET_KEY: 'a-secret-key-of-tests-0123456789',
  });
  other = { url: `http://127.0.0.1:${port}` };
  await replica.ready;
});
afterAll(async () => {
  await replica.discard();
  await company.close();
  await far.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A credential, and what ends it. */
interface Ending {
  readonly credential: Credential;
  /** Whether it ends in the organization alone, and what is their own stays. */
  readonly keepsOwn?: boolean;
  /** Where it is used; default: that of the company. */
  readonly orgId?: string;
  end(): Promise<unknown>;
}

/** The address of a user. */
async function addressOf({ userId }: Pick<Credential, 'userId'>): Promise<string> {
  const [row] = await company.app.db.query<{ email: string }[]>('SELECT email FROM users WHERE id = $1', [
    userId,
  ]);
  return row?.email ?? '';
}

const SWITCH_OFF = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
};

/** Has the directory tell of somebody, whom it switches off at the end. */
async function switchedOff(credential: Credential, userId = credential.userId): Promise<Ending> {
  const { id } = await directory.person(await addressOf({ userId }));
  return { credential, end: () => directory.sent('PATCH', `/Users/${id}`, SWITCH_OFF) };
}

/** None that anything here needs. */
const ONE = ['manage_webhooks'];

/** How each kind of credential ends. */
const ENDINGS: Readonly<Record<string, () => Promise<Ending>>> = {
  ...Object.fromEntries(
    Object.entries(CREDENTIALS)
      .filter(([kind]) => kind !== 'a key of a service account')
      .map(([kind, make]) => [
        `${kind}, of somebody switched off`,
        async () => switchedOff(await make(company)),
      ]),
  ),
  'a key of a service account, whose maker is switched off': async () => {
    const maker = await makeCaller(company.app.db, company.owner.orgId, 'owner');
    const { headers } = await company.serviceKey(maker);
    return switchedOff(await company.known(headers), maker.userId);
  },
  'a key of a service account, that is revoked': async () => {
    const { headers, path } = await company.serviceKey();
    return { credential: await company.known(headers), end: () => company.asOwner('DELETE', path) };
  },
  'a key of a service account, that is deleted': async () => {
    const { headers, accountPath } = await company.serviceKey();
    return { credential: await company.known(headers), end: () => company.asOwner('DELETE', accountPath) };
  },
  'a key of a member, whose own role is taken away': async () => {
    const { headers, memberPath } = await company.ownRoleKey();
    const end = () => company.asOwner('PATCH', memberPath, { role: 'member' });
    return { credential: await company.known(headers), keepsOwn: true, end };
  },
  'a key of a member, who gets another own role': async () => {
    const { headers, memberPath } = await company.ownRoleKey();
    const role = { name: `Other ${randomUUID()}`, permissions: ONE };
    const { id: own_role_id } = await company.asOwner<{ id: string }>('POST', '/roles', role);
    const end = () => company.asOwner('PATCH', memberPath, { own_role_id });
    return { credential: await company.known(headers), end };
  },
  'a key of a member, whose own role permits less': async () => {
    const { headers, rolePath } = await company.ownRoleKey();
    const end = () => company.asOwner('PATCH', rolePath, { permissions: ONE });
    return { credential: await company.known(headers), end };
  },
  'a session by a provider, of somebody who signs out there': async () => {
    const email = company.newcomer();
    const credential = await company.known(await company.session(email));
    await company.asOwner('PATCH', `/members/${credential.userId}`, { role: 'owner' });
    return { credential, end: () => company.signOut(email) };
  },
  'a key, whose organization is deleted': async () => {
    const { key, end, orgId } = await deletable();
    return { credential: await company.known({ 'X-Access-Token': key }), orgId, end };
  },
  'a session by a key of an organization that is deleted': async () => {
    const { userId, end, orgId } = await deletable();
    const { key } = await makeKey(company.app.db, userId, { orgId });
    const Cookie = await startSession(company.app, key);
    return { credential: await company.known({ Cookie, ...FROM_OWN_PAGE }), orgId, end };
  },
};

/** The owner of an organization that another owner deletes. */
async function deletable(): Promise<TestCaller & Pick<Ending, 'end'>> {
  const { db } = company.app;
  const { id, name } = await makeOrg(db);
  const { key } = await makeCaller(db, id, 'owner');
  const path = `/api/organizations/${id}?confirm=${encodeURIComponent(name)}`;
  const end = () => call(company.app, 'DELETE', path, { key });
  return { ...(await makeCaller(db, id, 'owner')), end };
}

/** Something that a credential is let to at the other replica. */
interface Watched {
  readonly what: string;
  /** Of the person, and not of the organization. */
  readonly isOwn: boolean;
  /** When it was answered for the last time or ended, as from `performance.now()`; infinite for what is open. */
  readonly lastAt: Promise<number>;
  /** Until it is refused for the first time, or ends. */
  readonly refused: Promise<unknown>;
}

const REFUSALS = [401, 403, 404];

/** Asks again and again for what was just answered. */
function answers(
  path: string,
  { headers }: Credential,
  until: AbortSignal,
): Pick<Watched, 'lastAt' | 'refused'> {
  let refuse: () => void = () => undefined;
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  const asking = async (): Promise<number> => {
    let lastAt = performance.now();
    while (!until.aborted) {
      const { status } = await call(other, 'GET', path, { headers });
      if (REFUSALS.includes(status)) refuse();
      else {
        expect(status).toBe(200);
        lastAt = performance.now();
      }
      await sleep(ASK_EVERY_MS);
    }
    return lastAt;
  };
  return { lastAt: asking(), refused };
}

/** Asks for everything, and has streams and a WebSocket open. */
async function watch(credential: Credential, until: AbortSignal, orgId: string): Promise<Watched[]> {
  const { headers, userId } = credential;
  const keys = company.app.app.get(SandboxKeys);
  const { id: sandbox_id, door } = await insertSandbox(company.app.db, keys, {
    owner: { orgId, userId },
    baseUrl: far.url,
  });
  const by = { org_id: orgId, created_by_user_id: userId };
  const { id } = await storeConversation(company.app.db, { ...by, sandbox_id });
  const over = new Promise<number>((resolve) => until.addEventListener('abort', () => resolve(Infinity)));
  const endOf = (ended: Promise<unknown>) => Promise.race([ended.then(() => performance.now()), over]);

  const ofOrganization = `/api/organizations/${orgId}`;
  const streams = [`${ofOrganization}/events/stream`, `/api/v1/conversation/${id}/events/stream`];
  const socket = `${door}/sockets/events/${id}`;
  const open = streams.map(async (path) => {
    const { status, ended } = await StreamReader.open(other.url + path, { headers });
    expect(status).toBe(200);
    return { what: path, ended };
  });
  const joined = far.nextSocket();
  const { closed } = await TestSocket.open(other.url.replace('http', 'ws') + socket, headers);
  await joined;
  const asked = [
    `${ofOrganization}/conversations`,
    `/api/v1/conversation/${id}/events/count`,
    `${door}/api/conversations/${id}`,
  ];
  for (const path of asked) expect((await call(other, 'GET', path, { headers })).status).toBe(200);
  return [
    ...[...(await Promise.all(open)), { what: socket, ended: closed }].map(({ what, ended }) => ({
      what,
      lastAt: endOf(ended),
      refused: ended,
    })),
    ...asked.map((path) => ({ what: path, ...answers(path, credential, until) })),
  ].map((each) => ({ ...each, isOwn: !each.what.startsWith(ofOrganization) }));
}

describe('what ends at one replica is ended within a second at the other', () => {
  it.each(Object.entries(ENDINGS))('%s', async (_, begin) => {
    for (const afterMs of AFTER_MS) {
      const { credential, keepsOwn = false, orgId = company.owner.orgId, end } = await begin();
      const over = new AbortController();
      const watched = await watch(credential, over.signal, orgId);
      await sleep(afterMs);
      // From before the end is asked for, until the last answer has come and everything open is closed.
      const from = performance.now();
      await end();
      const bound = Math.min(timeBound(WITHIN_MS), AT_MOST_MS);
      await Promise.race([sleep(bound), Promise.all(watched.map(({ refused }) => refused))]);
      await sleep(LONGER_MS);
      over.abort();
      for (const { what, isOwn, lastAt } of watched) {
        const ms = (await lastAt) - from;
        const isRight = keepsOwn && isOwn ? ms > bound : ms <= bound;
        expect({ what, ms, bound, isRight }).toEqual({ what, ms, bound, isRight: true });
      }
    }
  });
});
