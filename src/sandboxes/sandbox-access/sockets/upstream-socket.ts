import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AgentServerUnavailableError, type Route } from '../../agent-server';
import type { AppError } from '../../../kernel/common';
import type { Passage, Place } from '../connections/open-connections';

/** A reachable agent server replies to the handshake at once. */
const WITHIN_MS = 10_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A WebSocket to an agent server, and the headers of its handshake. */
export interface UpstreamSocket {
  readonly socket: Duplex;
  readonly headers: Headers;
}

/**
 * Opens a WebSocket to an agent server, over the same checked connections as all calls.
 * @param path with its query
 * @param headers names and values alternating, with those of the handshake
 * @param place lets it be ended meanwhile
 * @throws AgentServerUnavailableError, also when the server refuses the handshake; the reason of `end` when it was
 *   ended
 */
export function openUpstream(
  route: Route,
  path: string,
  headers: string[],
  place: Place,
): Promise<UpstreamSocket> {
  return new Promise((resolve, reject) => {
    const handshake = new Handshake(resolve, reject);
    place.hold(handshake);
    route.pool.dispatch(
      {
        method: 'GET',
        path: route.prefix + path,
        headers: [...route.headers, ...headers],
        upgrade: 'websocket',
      },
      handshake,
    );
  });
}

class Handshake implements Dispatcher.DispatchHandler, Passage {
  private controller: Dispatcher.DispatchController | null = null;
  private isDone = false;
  private readonly timer = setTimeout(
    () => this.fail(new AgentServerUnavailableError(true, 'timeout')),
    WITHIN_MS,
  );

  constructor(
    private readonly opened: (socket: UpstreamSocket) => void,
    private readonly failed: (error: Error) => void,
  ) {}

  heldBytes(): number {
    return 0;
  }

  end(reason: AppError): void {
    this.fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isDone) controller.abort(new Error('given up'));
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _status: number,
    headers: Headers,
    socket: Duplex,
  ): void {
    socket.on('error', () => socket.destroy());
    if (this.isDone) {
      socket.destroy();
      return;
    }
    this.done();
    this.opened({ socket, headers });
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) this.fail(new AgentServerUnavailableError(false, `status ${status}`));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const reason = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    this.fail(new AgentServerUnavailableError(true, reason, { cause: error }));
  }

  private fail(error: Error): void {
    if (this.isDone) return;
    this.done();
    this.controller?.abort(error);
    this.failed(error);
  }

  private done(): void {
    this.isDone = true;
    clearTimeout(this.timer);
  }
}
