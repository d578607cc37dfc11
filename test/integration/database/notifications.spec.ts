import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Notifications } from '../../../src/kernel/database';

describe('notifications of the database', () => {
  it('stop while their connection is being made', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const notifications = new Notifications(`postgres://somebody@127.0.0.1:${port}/nothing`);
    notifications.listen('news', () => undefined);
    const connecting = once(server, 'connection');
    notifications.onApplicationBootstrap();
    await connecting;
    const stopping = notifications.onModuleDestroy();
    for (const socket of sockets) socket.end();
    await stopping;
    server.close();
  });
});
