import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '../../../../test/support/eventually';
import { closePipelinedResponses } from './pipelined-responses';

describe('responses to requests that a client sends without waiting', () => {
  let server: Server;
  let client: Socket;
  let responses: ServerResponse[];
  let closed: (string | undefined)[];

  beforeEach(async () => {
    responses = [];
    closed = [];
    server = createServer((request, response) => {
      responses.push(response);
      response.on('close', () => closed.push(request.url));
    });
    closePipelinedResponses(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.resume();
    for (const path of ['/1', '/2', '/3']) client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually(() => expect(responses).toHaveLength(3));
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  it('close with the connection, each once, also those that had their turn', async () => {
    responses[0]?.end();
    await eventually(() => expect(closed).toEqual(['/1']));
    client.destroy();
    await eventually(() => expect(closed.toSorted()).toEqual(['/1', '/2', '/3']));
    expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  });

  it('close when each was sent', async () => {
    for (const response of responses.toReversed()) response.end();
    await eventually(() => expect(closed).toEqual(['/1', '/2', '/3']));
    client.destroy();
    await once(client, 'close');
    expect(closed).toEqual(['/1', '/2', '/3']);
  });
});
