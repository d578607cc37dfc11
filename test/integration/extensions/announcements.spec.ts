import {
  ConflictException,
  Controller,
  Get,
  HttpException,
  Injectable,
  Logger,
  Module,
  NotFoundException,
  Param,
  ServiceUnavailableException,
} from '@nestjs/common';
import { z } from 'zod';
import { Public } from '../../../src/kernel/auth';
import { AppError, newId } from '../../../src/kernel/common';
import { JobHandlers, JobQueue } from '../../../src/kernel/jobs';
import { OnDomainEvent } from '../../../src/kernel/domain-events';
import { openApiDocument } from '../../../src/kernel/http';
import { Field, string } from '../../../src/kernel/validation';
import { AnnouncementsModule } from '../../support/announcements/announcements.module';
import { eventually } from '../../support/eventually';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';

const THROWN: Readonly<Record<string, HttpException>> = {
  missing: new NotFoundException('No such note.'),
  taken: new ConflictException({ message: 'The name is taken.', more: 'not told' }),
  unavailable: new ServiceUnavailableException('Come again.'),
  failed: new HttpException('It failed.', 500),
  unnamed: new HttpException('As nobody else.', 499),
};

class ThrowsPath {
  @Field(string())
  kind!: string;
}

@Controller('acme-throws')
class ThrowsController {
  @Get(':kind')
  @Public()
  throwIt(@Param() { kind }: ThrowsPath): never {
    throw THROWN[kind] ?? new Error('unknown');
  }
}

/** Refuses new keys with what it is told. */
@Injectable()
class KeysListener {
  refusal: Error | undefined;

  @OnDomainEvent('api_key.created')
  refuse(): Promise<void> {
    return this.refusal === undefined ? Promise.resolve() : Promise.reject(this.refusal);
  }
}

/** A job that says something, and fails. */
@Injectable()
class Ledger {
  constructor(handlers: JobHandlers) {
    handlers.register('acme-ledger', z.object({}), () => this.book());
  }

  private book(): Promise<void> {
    new Logger('Acme').error('The ledger is full.');
    return Promise.reject(new RangeError('no room'));
  }
}

@Module({ controllers: [ThrowsController], providers: [KeysListener, Ledger] })
class RefusalsModule {}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    env: { LOG_LEVEL: 'error' },
    extensions: [AnnouncementsModule, RefusalsModule],
  });
});
afterAll(() => app.close());

describe('an extension', () => {
  it('has credentials, permissions and checks of requests like the service itself', async () => {
    const { id } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, id, 'owner');
    const member = await makeCaller(app.db, id, 'member');
    const path = `/api/organizations/${id}/announcements`;
    const send = (body: unknown, key?: string) =>
      call(app, 'POST', path, key === undefined ? { body } : { key, body });

    expect((await send({ text: 'Hello.' })).status).toBe(401);
    expect((await send({ text: 'Hello.' }, member.key)).status).toBe(403);
    expect((await send({ text: ' ' }, owner.key)).status).toBe(422);
    expect(await send({ text: ' Hello. ' }, owner.key)).toMatchObject({
      status: 200,
      body: { text: 'Hello.' },
    });
    expect((await call(app, 'GET', path, { key: member.key })).body).toMatchObject({
      items: [{ text: 'Hello.' }],
    });
  });

  it.each([
    ['missing', 404, { detail: 'No such note.', code: 'not_found' }, {}],
    ['taken', 409, { detail: 'The name is taken.', code: 'conflict' }, {}],
    ['unavailable', 503, { detail: 'Come again.', code: 'service_unavailable' }, { 'retry-after': '1' }],
    ['failed', 500, { detail: 'It failed.', code: 'internal_server_error' }, {}],
    ['unnamed', 499, { detail: 'As nobody else.', code: 'error' }, {}],
  ])("throws Nest's exceptions as they are meant: %s is a %i", async (kind, status, body, headers) => {
    const answer = await call(app, 'GET', `/acme-throws/${kind}`);
    if (status === 500) Object.assign(body, { error_id: expect.any(String) as string });
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.headers).toMatchObject(headers);
    const other = await call(app, 'POST', `/acme-throws/${kind}`);
    expect([other.status, other.body]).toEqual([
      405,
      expect.objectContaining({ code: 'method_not_allowed' }),
    ]);
  });

  it('refuses a change from a listener in its transaction, in its own words', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const listener = app.app.get(KeysListener);
    const count = async (): Promise<unknown> => app.db.query('SELECT count(*) FROM api_keys');
    const before = await count();
    for (const [refusal, code] of [
      [new AppError(403, 'acme_no_more_keys', 'Acme has keys enough.'), 'acme_no_more_keys'],
      [new HttpException('Acme has keys enough.', 403), 'forbidden'],
    ] as const) {
      listener.refusal = refusal;
      const answer = await call(app, 'POST', '/api/keys', { key, body: { name: 'k' } });
      expect([answer.status, answer.body]).toEqual([403, { detail: 'Acme has keys enough.', code }]);
    }
    listener.refusal = undefined;
    expect(await count()).toEqual(before);
  });

  it('has all faults of a request answered at once, in order, also those of class-validator decorators', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const links = [{ title: 'x'.repeat(81), url: 'https://acme.example' }, { url: 'ftp://acme.example' }];
    const response = await call(app, 'POST', '/api/organizations/acme/announcements', {
      key,
      body: { links },
    });
    expect(response).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'uuid_parsing', loc: ['path', 'org_id'], input: 'acme' },
          { type: 'missing', loc: ['body', 'text'], msg: 'Field required', input: { links } },
          {
            type: 'string_too_long',
            loc: ['body', 'links', 0, 'title'],
            msg: 'String should have at most 80 characters',
            input: 'x'.repeat(81),
            ctx: { max_length: 80 },
          },
          { type: 'missing', loc: ['body', 'links', 1, 'title'], input: links[1] },
          {
            type: 'value_error',
            loc: ['body', 'links', 1, 'url'],
            msg: 'Value error, url must be a URL address',
            input: 'ftp://acme.example',
          },
        ],
      },
    });
  });

  it('has defaults and typed values from class-validator decorators', async () => {
    const { id } = await makeOrg(app.db);
    const { key } = await makeCaller(app.db, id, 'owner');
    const path = `/api/organizations/${id}/announcements`;
    for (const text of ['First.', 'Second.']) await call(app, 'POST', path, { key, body: { text } });
    expect((await call(app, 'GET', path, { key })).body).toMatchObject({ items: [{}, {}] });
    expect((await call(app, 'GET', `${path}?limit=1`, { key })).body).toMatchObject({
      items: [{ text: 'Second.' }],
    });
  });

  it('hears what happens in the service', async () => {
    const { id } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, id, 'owner');
    const user = await makeUser(app.db);
    const token = tokenOf(await inviteOne(app, owner, user.email));
    const { key } = await makeKey(app.db, user.id);
    const accepted = await call(app, 'POST', '/api/organizations/members/invite/accept', {
      key,
      body: { token },
    });
    expect(accepted.status).toBe(200);
    await eventually(async () =>
      expect((await call(app, 'GET', `/api/organizations/${id}/announcements`, { key })).body).toEqual({
        items: [{ id: user.id, text: `${user.email} has joined.`, links: [] }],
      }),
    );
  });

  it('hears the events of agents by their kinds', async () => {
    const { id } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, id, 'owner');
    const conversationId = newId();
    const publish = (event_id: string, event_kind: string) =>
      app.db.query('INSERT INTO domain_events (org_id, kind, event) VALUES ($1, $2, $3)', [
        id,
        'event.received',
        {
          kind: 'event.received',
          org_id: id,
          conversation_id: conversationId,
          event_id,
          event_kind,
          occurred_at: '2026-11-21T09:30:00.000Z',
        },
      ]);
    await publish('1', 'MessageEvent');
    await publish('2', 'ConversationErrorEvent');
    const text = `The agent of conversation ${conversationId} reports an error (ConversationErrorEvent).`;
    await eventually(async () =>
      expect(
        (await call(app, 'GET', `/api/organizations/${id}/announcements`, { key: owner.key })).body,
      ).toEqual({ items: [{ id: '2', text, links: [] }] }),
    );
  });

  it('has jobs, in whose lines of the log is their id, and the stack of what they fail at', async () => {
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await app.db.transaction((transaction) =>
        app.app.get(JobQueue).add(transaction, { name: 'acme-ledger', payload: {}, maxAttempts: 1 }),
      );
      const lines = await eventually(() => {
        const found = written.mock.calls
          .map(([line]) => String(line))
          .filter((line) => /ledger/.test(line))
          .map((line) => JSON.parse(line) as { jobId: string; msg: string; err?: { stack: string } });
        expect(found).toHaveLength(2);
        return Promise.resolve(found);
      });
      const [said, failure] = lines;
      expect(said).toMatchObject({ context: 'Acme', msg: 'The ledger is full.' });
      expect(failure?.msg).toBe(`Job ${said?.jobId} (acme-ledger) failed, attempt 1 of 1: no room`);
      expect(failure?.jobId).toBe(said?.jobId);
      expect(failure?.err?.stack).toMatch(/^RangeError: no room\n +at Ledger\./);
    } finally {
      written.mockRestore();
    }
  });

  it('is in the OpenAPI document', () => {
    const { post } = openApiDocument(app.app).paths['/api/organizations/{org_id}/announcements'] ?? {};
    expect(Object.keys(post?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '401', '403', '413', '422', '503']),
    );
  });
});
