import { once } from 'node:events';
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import fc from 'fast-check';
import { respondJson } from '../../../src/kernel/http/adapter/json-response';

/** What a handler returns, and what was set before. */
interface Returned {
  readonly body: unknown;
  readonly status: number | undefined;
  readonly type: string | undefined;
}

/** Most handlers leave the type open. */
const UNSET = [undefined, undefined, undefined];

type Reply = (response: Response, { body, status }: Returned) => unknown;

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe('a response of JSON', () => {
  const app: Express = express();
  const adapter = new ExpressAdapter(app);
  let current: { returned: Returned; reply: Reply };
  let port: number;
  const server = app
    .use((_request, response) => {
      const { type } = current.returned;
      if (type !== undefined) response.setHeader('Content-Type', type);
      current.reply(response, current.returned);
    })
    .listen(0, '127.0.0.1');
  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    if (!server.listening) await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    jest.restoreAllMocks();
    server.close();
  });

  const ofExpress: Reply = (response, { body, status }) => adapter.reply(response, body, status);
  let direct = 0;
  const ours: Reply = (response, returned) => {
    if (respondJson(response, returned.body, returned.status)) direct++;
    else ofExpress(response, returned);
  };

  function received(returned: Returned, reply: Reply, method: string, headers: object): Promise<Received> {
    current = { returned, reply };
    return new Promise((resolve, reject) => {
      ask({ port, method, headers: { ...headers }, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { date: _, ...others } = response.headers;
          resolve({ status: response.statusCode, headers: others, text });
        });
      })
        .on('error', reject)
        .end();
    });
  }

  it('is in every byte and header what Express makes of it', async () => {
    const body = fc.oneof(
      fc.object({ withDate: true, withNullPrototype: true }),
      fc.array(fc.jsonValue()),
      fc.json(),
      fc.constant({ text: 'ä\u2028€😀' }),
      fc.constant({}),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(undefined, 200, 201, 202, 204, 304, 404),
        fc.constantFrom(...UNSET, 'application/json', 'application/json; charset=utf-8', 'text/plain'),
        fc.constantFrom('GET', 'HEAD', 'POST'),
        async (value, status, type, method) => {
          const returned = { body: value, status, type };
          const expected = await received(returned, ofExpress, method, {});
          expect(await received(returned, ours, method, {})).toEqual(expected);
          const { etag } = expected.headers;
          if (etag === undefined) return;
          const again = { 'If-None-Match': etag };
          expect(await received(returned, ours, method, again)).toEqual(
            await received(returned, ofExpress, method, again),
          );
        },
      ),
    );
    expect(direct).toBeGreaterThan(3);
  });
});
