/**
 * A server of Node alone that keeps each response open and sends a heartbeat every 15 seconds: what an idle stream takes at least. It
 * tells its parent the port.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const HEARTBEAT_MS = 15_000;

const open = new Set<ServerResponse>();

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 2718\nid: 41\n\n');
  open.add(response);
  response.once('close', () => open.delete(response));
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

setInterval(() => {
  for (const response of open) response.write(': heartbeat\n\n');
}, HEARTBEAT_MS);
