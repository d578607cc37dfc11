import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const BODY = JSON.stringify({
  detail: 'The service stops; send the request again.',
  code: 'service_stopping',
});

/** Lets a server end without dropping answers: it knows which requests are in flight. */
export class Drain {
  private readonly unanswered = new Set<ServerResponse>();
  private draining = false;

  /** Begins to count; call it before the server listens. */
  constructor(private readonly server: Server) {
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.unanswered.add(response);
      response.once('close', () => this.unanswered.delete(response));
      if (this.draining) response.setHeader('Connection', 'close');
    });
  }

  /**
   * Takes no more connections and waits for the requests in flight; whatever is unanswered at the deadline is
   * answered 503, and answers that are half way out are cut.
   */
  async finish(deadlineMs: number): Promise<void> {
    this.draining = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const response of this.unanswered)
      if (!response.headersSent) response.setHeader('Connection', 'close');
    const idle = setInterval(() => this.server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => this.refuseTheRest(), deadlineMs);
    await closed;
    clearInterval(idle);
    clearTimeout(deadline);
  }

  private refuseTheRest(): void {
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
