import { Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError, Clock } from '../../../src/kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../src/kernel/domain-events';
import type { CommandHandler, CommandOptions } from '../../../src/operations/extensions';
import { Organizations, OrgsModule } from '../../../src/accounts/orgs';
import { Actors } from '../../../src/kernel/auth';
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

/** Reports who has joined an organization, which it has looked up as routes do. */
@Injectable()
class Report implements CommandHandler, OnApplicationBootstrap {
  private isReady = false;

  constructor(
    private readonly actors: Actors,
    private readonly organizations: Organizations,
    private readonly joined: Joined,
  ) {}

  onApplicationBootstrap(): void {
    this.isReady = true;
  }

  async run({ org = '', year = 'any' }: CommandOptions): Promise<object> {
    if (year === 'bad') throw new AppError(409, 'acme_no_year', 'There is no such year.');
    if (year === 'worse') throw new TypeError('no ledger');
    const { id } = await this.organizations.find(this.actors.service(org));
    return { id, year, is_ready: this.isReady, joined: this.joined.users };
  }
}

@Module({ providers: [Joined, Report], imports: [AnnouncementsModule, OrgsModule] })
class ExtensionModule {}

const acme = {
  name: 'acme',
  modules: [ExtensionModule],
  commands: {
    'acme:report': {
      about: 'Reports who has joined.',
      options: {
        org: { about: 'id of the organization' },
        year: { about: 'of which year', isOptional: true },
      },
      handler: Report,
    },
  },
} as const;

describe('a service in a test of an extension', () => {
  let database: TestDatabase;
  let service: ServiceUnderTest;
  let orgId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await ServiceUnderTest.start({
      extensions: [acme],
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

  it('runs commands of its extension, with providers of the whole application, but not those of this service', async () => {
    expect(await service.cli('acme:report', '--org', orgId)).toEqual({
      id: orgId,
      year: 'any',
      is_ready: true,
      joined: [],
    });
  });

  it('runs commands of its extension, which fail with their sentence, or by their name', async () => {
    const error = jest.spyOn(Logger.prototype, 'error');
    const report = (...args: string[]) => service.cli('acme:report', ...args);
    await expect(report('--org', orgId, '--year', 'bad')).rejects.toThrow(/^There is no such year\.$/);
    expect(error).not.toHaveBeenCalled();
    const sentence = 'The command acme:report failed: no ledger';
    await expect(report('--org', orgId, '--year', 'worse')).rejects.toThrow(sentence);
    const err: unknown = expect.objectContaining({ stack: expect.stringContaining('Report.run') as string });
    expect(error).toHaveBeenCalledWith({ err }, sentence);
    await expect(report()).rejects.toThrow('--org is missing. Usage: acme:report --org … [--year …]');
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
