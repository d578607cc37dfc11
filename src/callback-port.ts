import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { freePort, StartError } from './kernel/common';
import { callbackHost, callbackPortOfLoopback, type Settings } from './kernel/config';
import type { DataDir } from './data-dir';
import { listenProblem } from './free-port';

/**
 * The second port of the service, for sandboxes, which need to know it. It is held from the start on, so that nobody else
 * takes it, and closes connections until somebody serves them.
 */
export class CallbackPort {
  private serve = (connection: Socket): void => void connection.destroy();

  private constructor(
    private readonly listener: Server,
    readonly port: number,
  ) {
    // Nothing but this process needs it.
    listener.unref().on('connection', (connection) => this.serve(connection));
  }

  /**
   * Listens at that of the settings, or, where sandboxes of this host call at loopback, at the one that it had before.
   * @returns null where there is none
   * @throws StartError when the service cannot listen there
   */
  static async open(settings: Settings, dataDir: DataDir): Promise<CallbackPort | null> {
    const { APP_ROLE, CALLBACK_PORT, PORT } = settings;
    const HOST = callbackHost(settings);
    const listen = async (port: number): Promise<CallbackPort> =>
      new CallbackPort(await listening(HOST, port), port);
    if (CALLBACK_PORT !== undefined)
      return listen(CALLBACK_PORT).catch((error: unknown) => {
        throw listenProblem(error, { HOST, PORT: CALLBACK_PORT }, 'CALLBACK_PORT') ?? error;
      });
    if (APP_ROLE === 'api' || callbackPortOfLoopback(settings) === null) return null;
    let last = await dataDir.callbackPort();
    for (;;) {
      const port = await freePort(HOST, last, new Set([PORT]));
      if (port === null) throw new StartError('The host has no free port at which sandboxes could call.');
      // Another service may have taken it since.
      const opened = await listen(port).catch(() => null);
      if (opened === null) {
        last = null;
        continue;
      }
      await dataDir.saveCallbackPort(port);
      return opened;
    }
  }

  /** From now on connections are handed over, paused. */
  serveBy(serve: (connection: Socket) => void): void {
    this.serve = serve;
  }

  close(): void {
    this.listener.close();
  }
}

async function listening(host: string, port: number): Promise<Server> {
  const listener = createServer({ noDelay: true, pauseOnConnect: true }).listen({
    host,
    port,
    exclusive: true,
  });
  await once(listener, 'listening');
  return listener;
}
