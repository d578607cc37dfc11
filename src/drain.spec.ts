import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Drain } from './drain';
import { awakeMs } from '../test/support/awake-clock';
import { timeBound } from '../test/support/time-bound';

async function serve(listener: RequestListener): Promise<{ server: Server; drain: Drain; port: number }> {
  const server = createServer(listener);
  const drain = new Drain(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, drain, port: (server.address() as AddressInfo).port };
}

/** Settles once the server has the request. */
function arrival(server: Server): Promise<void> {
  return new Promise((resolve) => server.once('request', () => resolve()));
}

describe('a server that is drained', () => {
  it('finishes the request in flight, closes its connection and takes no new one', async () => {
    let answer: () => void = () => undefined;
    const { server, drain, port } = await serve((_request, response) => {
      answer = () => response.end('done');
    });
    const arrived = arrival(server);
    const inFlight = fetch(`http://127.0.0.1:${port}/`);
    await arrived;
    const finished = drain.finish(10_000);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    answer();
    const response = await inFlight;
    expect(await response.text()).toBe('done');
    expect(response.headers.get('connection')).toBe('close');
    await finished;
  });

  it('answers 503 to what is unfinished at the deadline, and survives a late response', async () => {
    let answer: () => void = () => undefined;
    const { server, drain, port } = await serve((_request, response) => {
      response.setHeader('X-Request-Id', 'mine');
      answer = () => response.end('late');
    });
    const arrived = arrival(server);
    const inFlight = fetch(`http://127.0.0.1:${port}/`);
    await arrived;
    const finished = drain.finish(50);
    const response = await inFlight;
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(response.headers.get('x-request-id')).toBe('mine');
    expect(await response.json()).toEqual({ detail: expect.any(String) as string, code: 'service_stopping' });
    answer();
    await finished;
  });

  it('cuts off half-written responses and requests that never arrive completely', async () => {
    const { server, drain, port } = await serve((_request, response) => {
      response.write('half');
    });
    const half = await fetch(`http://127.0.0.1:${port}/`);
    const socket = connect(port, '127.0.0.1', () => socket.write('POST / HTTP/1.1\r\nHost: x\r\n'));
    await new Promise((resolve) => server.once('connection', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await drain.finish(50);
    await expect(half.text()).rejects.toThrow();
    await closed;
  });

  it('closes at once when only idle connections are left', async () => {
    const { drain, port } = await serve((_request, response) => response.end('ok'));
    await (await fetch(`http://127.0.0.1:${port}/`)).text(); // its connection is kept alive
    const before = awakeMs();
    await drain.finish(10_000);
    expect(awakeMs() - before).toBeLessThan(timeBound(1_000));
  });
});
