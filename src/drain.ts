import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

const BODY = JSON.stringify({
  detail: 'The service stops; send the request again.',
  code: 'service_stopping',
});

/** Shuts a server down without dropping responses: it tracks the requests in flight. */
export class Drain {
  private readonly unanswered = new Set<ServerResponse>();
  private closesConnections = false;
  private isLate = false;

  /** Starts tracking; call it before the server listens. */
  constructor(private readonly server: Server) {
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.unanswered.add(response);
      response.on('close', () => this.unanswered.delete(response));
      if (this.closesConnections) response.setHeader('Connection', 'close');
    });
  }

  /** From now on connections are closed after their response, so that callers connect to another replica next time. */
  closeConnections(): void {
    this.closesConnections = true;
    for (const response of this.unanswered)
      if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /**
   * Stops accepting connections and waits for the requests in flight. At the deadline those without a response
   * get a 503, and responses that are only partly written are cut off.
   */
  async finish(deadlineMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.closeConnections();
    const idle = setInterval(() => this.server.closeIdleConnections(), POLL_MS);
    const deadline = setTimeout(() => this.refuseTheRest(), deadlineMs);
    await closed;
    // A server does not count connections that something else listens for.
    while (this.unanswered.size > 0 && !this.isLate) await sleep(POLL_MS);
    clearInterval(idle);
    clearTimeout(deadline);
  }

  private refuseTheRest(): void {
    this.isLate = true;
    for (const response of this.unanswered) {
      if (response.headersSent) response.destroy();
      else {
        response.writeHead(503, { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '2' });
        response.end(BODY);
      }
    }
    setTimeout(() => this.server.closeAllConnections(), 100);
  }
}
