import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Node's default time for a whole request. */
const REQUEST_MS = 300_000;
/** Headers may take longer than an idle connection lives, so that the two never race for it. */
const HEADERS_MARGIN_MS = 5_000;

/** Express on an HTTP server with the settings of the service. */
export class ServiceAdapter extends ExpressAdapter {
  /** @param keepAliveSeconds how long an idle connection is kept; longer than a load balancer in front keeps it */
  constructor(private readonly keepAliveSeconds: number) {
    super();
  }

  override initHttpServer(): void {
    const keepAliveTimeout = this.keepAliveSeconds * 1_000;
    const headersTimeout = keepAliveTimeout + HEADERS_MARGIN_MS;
    const options = {
      keepAliveTimeout,
      headersTimeout,
      requestTimeout: Math.max(REQUEST_MS, headersTimeout),
      // Checked by `requireHost`, whose answer has a body and a request id.
      requireHostHeader: false,
    };
    this.httpServer = createServer(options, this.getInstance());
  }

  /** Stops listening, and ends connections that idle: clients would keep them for longer than a stop may take. */
  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    this.httpServer.closeAllConnections();
    return closed;
  }
}
