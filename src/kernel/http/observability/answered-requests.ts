import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { routeOf } from '../server/request-span';
import { Metrics } from './metrics';
import { ServiceLog } from './service-log';

/** The label of paths that are no route: each value of a caller would be a series that stays. */
const UNKNOWN = '/{*path}';

/** Counts and logs every request once it is answered, or its caller has gone. */
@Injectable()
export class AnsweredRequests {
  private readonly listeners: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];

  constructor(
    private readonly metrics: Metrics,
    private readonly log: ServiceLog,
  ) {}

  /** Calls back when a request is answered, or its caller has gone; done while the service starts. */
  onAnswered(listener: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.listeners.push(listener);
  }

  /** To be called as a request comes. */
  observe(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    const beganAt = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - beganAt;
      // A stream of events is open for as long as its reader likes.
      if (!isEventStream(response))
        this.metrics.answered(method, routeOf(request) ?? UNKNOWN, response.statusCode, milliseconds / 1_000);
      this.log.answered(request, url.split('?', 1)[0] ?? '', response, milliseconds);
      for (const listener of this.listeners) listener(request, response);
    });
  }
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
