import { Injectable, Module } from '@nestjs/common';
import { Clock } from '../../../src/kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../src/kernel/domain-events';
import { checkBody, eventually, ServiceUnderTest } from '../../../src/operations/testing';
import { AnnouncementCreate } from '../../support/announcements/announcements.dto';
import { AnnouncementsModule } from '../../support/announcements/announcements.module';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';

const DAY_MS = 86_400_000;

/** Notes who joined, and refuses owners. */
@Injectable()
class Joined {
  readonly users: string[] = [];

  @OnDomainEvent('member.added')
  note({ user_id, role }: DomainEventOf<'member.added'>): Promise<void> {
    if (role === 'owner' && this.users.length > 0) return Promise.reject(new Error('no more owners'));
    this.users.push(user_id);
    return Promise.resolve();
  }
}

@Module({ providers: [Joined], imports: [AnnouncementsModule] })
class ExtensionModule {}

describe('a service in a test of an extension', () => {
  let database: TestDatabase;
  let service: ServiceUnderTest;
  let orgId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await ServiceUnderTest.start({
      extensions: [ExtensionModule],
      settings: {
        DATABASE_URL: database.url,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        WEB_UI: 'off',
        LOG_LEVEL: 'silent',
      },
    });
    ({ org_id: orgId } = (await service.call('GET', '/api/v1/users/me')).body as { org_id: string });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('answers its routes as they answer: to the owner, to somebody else, and to nobody', async () => {
    const path = `/api/organizations/${orgId}/announcements`;
    const body = { text: 'Hello.' };
    expect(await service.call('POST', path, { body })).toMatchObject({ status: 200, body });
    expect((await service.call('GET', path, { as: null })).status).toBe(401);
    expect((await service.call('GET', path, { as: 'another' })).status).toBe(401);
  });

  it('runs commands, whose events its listeners hear, and which can be waited for', async () => {
    const added = ['member:add', '--org', orgId, '--email', 'robin@example.com', '--role', 'member'];
    const { user_id } = (await service.cli(...added)) as { user_id: string };
    expect(await service.happened(orgId, 'member.added', { user_id })).toMatchObject({ role: 'member' });
    await eventually(() => {
      expect(service.get(Joined).users).toContain(user_id);
      return Promise.resolve();
    });
  });

  it('has events published, whose listeners may refuse them', async () => {
    const userId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const event = { kind: 'member.added', org_id: orgId, user_id: userId } as const;
    await service.publish({ ...event, role: 'admin' });
    expect(service.get(Joined).users).toContain(userId);
    expect(await service.happened(orgId, 'member.added', { user_id: userId })).toMatchObject({
      role: 'admin',
    });
    await expect(service.publish({ ...event, role: 'owner' })).rejects.toThrow('no more owners');
  });

  it('has a clock, which ends keys', async () => {
    const body = { name: 'short', expires_at: new Date(Date.now() + DAY_MS).toISOString() };
    const { key } = (await service.call('POST', '/api/keys', { body })).body as { key: string };
    const status = async (): Promise<number> =>
      (await service.call('GET', '/api/v1/users/me', { as: key })).status;
    expect(await status()).toBe(200);
    service.clock.advance(2 * DAY_MS);
    await eventually(async () => expect(await status()).toBe(401));
    expect(service.get(Clock).now().getTime()).toBeGreaterThan(Date.now() + DAY_MS);
  });

  it('checks a body without a service, with the faults of the 422', () => {
    expect(checkBody(AnnouncementCreate, { text: ' Hello. ' })).toEqual({
      value: Object.assign(new AnnouncementCreate(), { text: 'Hello.', links: [] }),
    });
    expect(checkBody(AnnouncementCreate, { text: '' })).toMatchObject({
      detail: [{ type: 'string_too_short', loc: ['body', 'text'], input: '' }],
    });
    expect(checkBody(AnnouncementCreate, null)).toMatchObject({
      detail: [{ type: 'missing', loc: ['body'] }],
    });
  });
});
