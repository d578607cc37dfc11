/** An agent server that does nothing but answer: what costs something is in front of it. */
const { createServer } = require('node:http');
const { WebSocketServer } = require('ws');

const { port, host } = Object.fromEntries(
  process.argv
    .slice(2)
    .flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const SMALL = JSON.stringify({ status: 'ok', text: 'x'.repeat(512) });
const CHUNK = Buffer.alloc(64 * 1024, 120);
const MEBIBYTE = 1024 * 1024;

function large(response, bytes) {
  response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes });
  let left = bytes;
  const write = () => {
    while (left > 0) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  write();
}

const server = createServer((request, response) => {
  const [, mebibytes] = /^\/large\/(\d+)$/.exec(request.url) ?? [];
  if (mebibytes !== undefined) large(response, Number(mebibytes) * MEBIBYTE);
  else {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': SMALL.length });
    response.end(SMALL);
  }
});
server.keepAliveTimeout = 60_000;
const sockets = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (websocket) => websocket.on('error', () => undefined));
});
server.listen(Number(port), host);
