import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import { ExpressAdapter } from '@nestjs/platform-express';
import { inRequestSpan } from './request-span';

/** Node's default time for a whole request. */
const REQUEST_MS = 300_000;
/** Headers may take longer than an idle connection lives, so that the two never race for it. */
const HEADERS_MARGIN_MS = 5_000;

/**
 * Answers requests before Express does.
 * @param next has Express answer the request after all
 * @returns false for requests that are not for it
 */
export type Shortcut = (request: IncomingMessage, response: ServerResponse, next: () => void) => boolean;

/** Express on an HTTP server with the settings of the service. */
export class ServiceAdapter extends ExpressAdapter {
  private shortcut: Shortcut = () => false;

  /**
   * @param keepAliveSeconds how long an idle connection is kept; longer than a load balancer in front keeps it
   * @param tracedIds attributes of the spans of requests, by the parameters of paths that they are
   */
  constructor(
    private readonly keepAliveSeconds: number,
    private readonly tracedIds: Readonly<Record<string, string>>,
  ) {
    super();
  }

  override initHttpServer(): void {
    const keepAliveTimeout = this.keepAliveSeconds * 1_000;
    const headersTimeout = keepAliveTimeout + HEADERS_MARGIN_MS;
    const options = {
      keepAliveTimeout,
      headersTimeout,
      requestTimeout: Math.max(REQUEST_MS, headersTimeout),
      // Checked by `requireHost`, whose response has a body and a request id.
      requireHostHeader: false,
    };
    const express = this.getInstance<Express>();
    this.httpServer = createServer(options, (request, response) =>
      inRequestSpan(request, response, this.tracedIds, () => {
        const next = (): void => void express(request, response);
        if (!this.shortcut(request, response, next)) next();
      }),
    );
  }

  /** Sets a handler that bypasses Express, and its cost, and does everything that these requests need. */
  take(shortcut: Shortcut): void {
    this.shortcut = shortcut;
  }

  /** Stops listening, and ends connections that idle: clients would keep them for longer than a stop may take. */
  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    this.httpServer.closeAllConnections();
    return closed;
  }
}
