import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Answer } from './bad-answers';

/** A server that does what a test says as soon as something comes. */
export class AskedPeer {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  /** @param answer is told of each connection on which something came */
  static async start(answer: Answer): Promise<AskedPeer> {
    const server = createServer({ allowHalfOpen: true });
    const peer = new AskedPeer(server);
    server.on('connection', (socket) => {
      peer.sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => peer.sockets.delete(socket));
      socket.once('data', () => {
        socket.resume();
        answer(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return peer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
