import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { readSettings } from '../../../src/kernel/config';
import { EventStreams } from '../../../src/outbound/event-streams/connections/event-streams';
import { OpenStreams } from '../../../src/outbound/event-streams/connections/open-streams';
import {
  type SourceBounds,
  type SourcePage,
  StreamSource,
} from '../../../src/outbound/event-streams/sources/stream-source';
import { Tails } from '../../../src/outbound/event-streams/tails/tails';
import { eventually } from '../../support/eventually';

const HOLDER = {
  kind: 'conversation' as const,
  conversationId: null,
  permission: null,
  sessionId: null,
  userId: 'a user',
  orgId: 'an organization',
  keyId: 1,
  keyExpiresAt: null,
};

/** A log that says how far it is only when something else has happened. */
class LateSource extends StreamSource {
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  override async bounds(): Promise<SourceBounds> {
    await this.meanwhile();
    return { last: 0, highest: 0 };
  }

  override nextOfEach(): Promise<ReadonlyMap<string, SourcePage>> {
    return Promise.resolve(new Map());
  }

  override next(): Promise<SourcePage> {
    return Promise.resolve({ steps: [], end: 0, hasMore: false });
  }
}

describe('a stream does not begin', () => {
  let server: Server;
  let source: LateSource;
  let open: OpenStreams;
  let response: Response;
  /** Of the attempt to begin. */
  let begun: Promise<void> | undefined;

  beforeEach(async () => {
    begun = undefined;
    source = new LateSource();
    open = new OpenStreams(readSettings({}));
    const streams = new EventStreams(open);
    const app = express();
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    app.get('/', (_request, answer) => {
      response = answer;
      const wish = { tails: new Tails(source), id: 'a conversation', kinds: null, after: null, news: null };
      begun = streams.begin(HOLDER, wish, answer);
      begun.catch(() => undefined);
    });
  });
  afterEach(() => server.close());

  const ask = (): ReturnType<typeof get> =>
    get({ port: (server.address() as AddressInfo).port, agent: false }).on('error', () => undefined);

  const expectNothing = async (): Promise<void> => {
    await begun;
    expect([open.count(), [...open.ends.values()]]).toEqual([0, []]);
  };

  it('where the service has answered for itself meanwhile, since it stops', async () => {
    source.meanwhile = () => Promise.resolve(response.status(503).json({}));
    const [answer] = (await once(ask(), 'response')) as [{ statusCode: number }];
    expect(answer.statusCode).toBe(503);
    await expectNothing();
  });

  it('for a client that has gone meanwhile', async () => {
    const request = ask();
    source.meanwhile = () => {
      request.destroy();
      return eventually(() => expect(response.closed).toBe(true));
    };
    await eventually(() => expect(begun).toBeDefined());
    await expectNothing();
  });

  it('and leaves its place where the position cannot be found out', async () => {
    source.meanwhile = () => Promise.reject(new Error('The database is away.'));
    const request = ask();
    await eventually(() => expect(begun).toBeDefined());
    await expect(begun).rejects.toThrow('away');
    expect(open.count()).toBe(0);
    request.destroy();
  });
});
