/** The baseline for the door: bare `node:http`, which passes everything to one server and checks nothing. */
import { Agent, createServer, type IncomingMessage, request as forward } from 'node:http';
import type { Duplex } from 'node:stream';

const agent = new Agent({ keepAlive: true, maxSockets: 4096 });
const target = new URL(process.env.TARGET ?? '');

const server = createServer((request, response) => {
  const onward = forward(
    {
      agent,
      host: target.hostname,
      port: target.port,
      method: request.method,
      path: request.url,
      headers: request.headers,
    },
    (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
  const onward = forward({
    host: target.hostname,
    port: target.port,
    path: request.url,
    headers: request.headers,
  });
  onward.on('upgrade', (response, upstream) => {
    const lines = ['HTTP/1.1 101 Switching Protocols'];
    for (let i = 0; i < response.rawHeaders.length; i += 2)
      lines.push(`${response.rawHeaders[i] ?? ''}: ${response.rawHeaders[i + 1] ?? ''}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.pipe(upstream).pipe(socket);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  onward.end();
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
