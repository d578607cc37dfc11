import { once } from 'node:events';
import files from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { userAtOtherEnd } from './tcp-sockets';

const MANY = 500;

describe('the user at the other end of a connection', () => {
  it('is read from few lists, however many connections come at once', async () => {
    const accepted: Socket[] = [];
    const server = createServer((connection) => accepted.push(connection)).listen(0, '127.0.0.1', MANY);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const clients = Array.from({ length: MANY }, () => connect(port, '127.0.0.1'));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    while (accepted.length < MANY) await once(server, 'connection');
    const read = jest.spyOn(files, 'readFile');
    const users = await Promise.all(accepted.map(userAtOtherEnd));
    const lists = read.mock.calls.length;
    read.mockRestore();
    for (const end of [...clients, ...accepted]) end.destroy();
    server.close();
    const isListed = process.platform === 'linux';
    expect(new Set(users)).toEqual(new Set([isListed ? userInfo().uid : null]));
    // Of both families, once each.
    expect(lists).toBe(2);
  });

  it('is looked for in a list that is newer than the connection', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let n = 0; n < 20; n++) {
      const client = connect(port, '127.0.0.1');
      const [connection] = (await once(server, 'connection')) as [Socket];
      // Begins a list in which a later connection is not.
      const first = userAtOtherEnd(connection);
      const later = connect(port, '127.0.0.1');
      const [second] = (await once(server, 'connection')) as [Socket];
      expect(await userAtOtherEnd(second)).toBe(await first);
      for (const end of [client, connection, later, second]) end.destroy();
    }
    server.close();
  });
});
