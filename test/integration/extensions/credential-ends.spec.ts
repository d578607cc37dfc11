import { Injectable, Module } from '@nestjs/common';
import { CredentialVerifiers, type ExternalVerifier, type VerifiedPerson } from '../../../src/kernel/auth';
import { Clock } from '../../../src/kernel/common';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { type FarSandbox, insertSandbox } from '../../support/sandbox-access/door-service';
import { FarServer } from '../../support/sandbox-access/far-server';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { StreamReader, type StreamRequest } from '../../support/streams/stream-reader';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';

const HOUR_MS = 3_600_000;
const MOMENT_MS = 10_000;

/** Knows `badge ADDRESS NAME`, for an hour from the first time it sees one; one named `short` for a moment. */
@Injectable()
class BadgeVerifier implements ExternalVerifier {
  readonly name = 'badge';
  readonly asked: string[] = [];
  private readonly ends = new Map<string, Date>();

  constructor(
    verifiers: CredentialVerifiers,
    private readonly clock: Clock,
  ) {
    verifiers.register(this);
  }

  verify(credential: string): Promise<VerifiedPerson | null> {
    this.asked.push(credential);
    const email = /^badge (\S+) \w+$/.exec(credential)?.[1];
    const now = this.clock.now().getTime();
    const expiresAt =
      this.ends.get(credential) ?? new Date(now + (credential.endsWith(' short') ? MOMENT_MS : HOUR_MS));
    this.ends.set(credential, expiresAt);
    return Promise.resolve(email === undefined || expiresAt.getTime() <= now ? null : { email, expiresAt });
  }
}

@Module({ providers: [BadgeVerifier] })
class BadgesModule {}

describe('a credential of an extension', () => {
  let app: TestApp;
  let far: FarServer;
  let person: TestCaller;
  let sandbox: FarSandbox;
  let stream: string;
  beforeAll(async () => {
    far = await FarServer.start();
    app = await startTestApp({
      env: { APP_ROLE: 'api', SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none' },
      extensions: [BadgesModule],
    });
  });
  afterAll(async () => {
    await app.close();
    await far.stop();
  });

  beforeEach(async () => {
    person = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const keys = app.app.get(SandboxKeys);
    sandbox = await insertSandbox(app.db, keys, { owner: person, baseUrl: far.url });
    const row = { org_id: person.orgId, created_by_user_id: person.userId };
    stream = `/api/v1/conversation/${(await storeConversation(app.db, row)).id}/events/stream`;
  });
  afterEach(() => jest.restoreAllMocks());

  const badge = (name: string): string => `badge ${person.email} ${name}`;

  /** Lets the badges that were used end, and not the keys of users. */
  const letHoursPass = (): void => {
    const later = new Date(Date.now() + 2 * HOUR_MS);
    jest.spyOn(app.app.get(Clock), 'now').mockImplementation(() => later);
  };

  const open = (path: string, request: StreamRequest): Promise<StreamReader> =>
    StreamReader.open(app.url + path, request);

  const expectEnd = async (reader: StreamReader): Promise<void> => {
    await eventually(() => expect(reader.isClosed).toBe(true));
    expect(reader.of('end').map(({ data }) => data)).toEqual([
      '{"reason":"credential_ended","resumable":false}',
    ]);
  };

  const ticketOf = async (key: string): Promise<{ ticket: string; expires_at: string }> =>
    (await call<{ ticket: string; expires_at: string }>(app, 'POST', `${stream}-ticket`, { key })).body;

  it('ends the streams that it opened, by itself and by a ticket, while those of other credentials go on', async () => {
    const byBadge = await open(stream, { key: badge('first') });
    const byTicket = await open(`${stream}?ticket=${(await ticketOf(badge('second'))).ticket}`, {});
    const byKey = await open(stream, { key: person.key });
    expect([byBadge.status, byTicket.status, byKey.status]).toEqual([200, 200, 200]);
    letHoursPass();
    await Promise.all([byBadge, byTicket].map(expectEnd));
    const byLaterBadge = await open(stream, { key: badge('later') });
    expect([byLaterBadge.status, byKey.isClosed]).toEqual([200, false]);
    for (const reader of [byKey, byLaterBadge]) reader.close();
  });

  it('ends the tickets that it made', async () => {
    const { expires_at } = await ticketOf(badge('short'));
    expect(new Date(expires_at).getTime()).toBeLessThanOrEqual(Date.now() + MOMENT_MS);
  });

  it('ends the WebSockets that it opened', async () => {
    const url = `${app.url.replace('http', 'ws')}${sandbox.door}/x`;
    const byBadge = await TestSocket.open(url, { 'X-Access-Token': badge('first') });
    const byKey = await TestSocket.open(url, { 'X-Access-Token': person.key });
    letHoursPass();
    expect(await byBadge.closed).toMatchObject({ code: 4001 });
    expect(byKey.socket.readyState).toBe(byKey.socket.OPEN);
    byKey.socket.terminate();
  });

  it('ends the session of a browser that signed in with it, and the streams of that', async () => {
    const headers = { Cookie: await startSession(app, badge('first')), ...FROM_OWN_PAGE };
    const sessions = async (): Promise<{ expires_at: string }[]> =>
      (await call<{ expires_at: string }[]>(app, 'GET', '/api/sessions', { key: person.key })).body;
    const reader = await open(stream, { headers });
    expect(reader.status).toBe(200);
    const [session] = await sessions();
    expect(new Date(session?.expires_at ?? '').getTime()).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    const outliving = { name: 'lasting', expires_at: null };
    const made = await call(app, 'POST', '/api/keys', { headers, body: outliving });
    expect([made.status, made.body]).toEqual([403, expect.objectContaining({ code: 'key_outlives_maker' })]);
    letHoursPass();
    await expectEnd(reader);
    await eventually(async () =>
      expect((await call(app, 'POST', '/api/authenticate', { headers })).status).toBe(401),
    );
    expect(await sessions()).toEqual([]);
  });

  it('is what verifiers are asked for; the key of a sandbox is not, in whatever header it comes', async () => {
    const { asked } = app.app.get(BadgeVerifier);
    const path = `${sandbox.door}/api/x`;
    const status = async (headers: Readonly<Record<string, string>>, at = path): Promise<number> =>
      (await call(app, 'GET', at, { headers })).status;
    expect(await status({ 'X-Session-API-Key': sandbox.key })).toBe(200);
    expect(await status({ 'X-Session-API-Key': sandbox.key }, '/api/v1/users/me')).toBe(401);
    expect(await status({ Authorization: `Bearer ${sandbox.key}` })).toBe(401);
    expect(asked).not.toContain(sandbox.key);
    expect(await status({ 'X-Session-API-Key': badge('first') })).toBe(200);
    expect(asked).toContain(badge('first'));
  });
});
