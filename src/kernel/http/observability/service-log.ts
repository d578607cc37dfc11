import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { clientAddress, requestIdentity } from '../../auth';
import { logIdentity, spanIdentity } from '../../telemetry';
import { isProbe } from '../server/request-span';
import { callerOf, loggingOptions } from './logging';

/** Loggers of the framework that only report start-up progress. */
const NOISE = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

/** What a logger of Nest is given: a text, an error, or fields for which a text follows. */
type Message = string | number | boolean | object | null | undefined;

/** What a logger of Nest is given as a stack. */
const STACK = /\n\s*at /;

/**
 * The log of one service: what its loggers say, and a line for each request. Nest has one log for all applications of a process:
 * that of the last one.
 */
export class ServiceLog implements LoggerService {
  /** Adds to a line the id of the request or job it is written in. */
  private readonly logger: Logger;
  private readonly requests: Logger;

  /** @param destination where the lines go */
  constructor(level: string, destination: DestinationStream) {
    const options = loggingOptions(level);
    const mixin = (): object => ({ ...logIdentity(), ...spanIdentity() });
    this.logger = pino({ ...options, mixin }, destination);
    this.requests = pino(options, destination);
  }

  log(message: Message, ...rest: readonly unknown[]): void {
    if (!NOISE.has(String(rest.at(-1)))) this.write('info', message, rest);
  }

  error(message: Message, ...rest: readonly unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: Message, ...rest: readonly unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: Message, ...rest: readonly unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: Message, ...rest: readonly unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: Message, ...rest: readonly unknown[]): void {
    this.write('fatal', message, rest);
  }

  /**
   * Logs a request that is answered, without its query (links carry tokens there) and without its headers (they carry keys), but
   * with who made it (docs/operations.md#log). Probes come every few seconds: their lines would be most of the log.
   * @param path as it was asked for
   * @param milliseconds the time from request to response
   */
  answered(request: IncomingMessage, path: string, response: ServerResponse, milliseconds: number): void {
    const { statusCode: status } = response;
    const level = status >= 500 ? 'warn' : isProbe(path) ? 'debug' : 'info';
    if (!this.requests.isLevelEnabled(level)) return;
    const { sandbox, user, organization, keyId } = callerOf(requestIdentity(request));
    // Undefined fields are left out. Spelled out, because merging objects would cost more than all the rest.
    const line = {
      requestId: request.id,
      req: { method: request.method, path },
      address: clientAddress(request),
      res: { status },
      responseTime: Math.round(milliseconds),
      sandbox,
      user,
      organization,
      keyId,
      ...spanIdentity(),
    };
    this.requests[level](line, response.writableEnded ? 'request completed' : 'request aborted');
  }

  /** @param rest what a logger of Nest adds: at last its context, before that a text, a stack or what belongs into the message */
  private write(level: Level, message: Message, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const more = rest.slice(0, -1);
    const [text] = more;
    if (message instanceof Error) this.logger[level]({ context, err: message });
    else if (typeof message === 'object')
      this.logger[level]({ context, ...message }, ...(typeof text === 'string' ? [text] : []));
    else if (typeof text === 'string' && STACK.test(text))
      this.logger[level]({ context, err: Object.assign(new Error(String(message)), { stack: text }) });
    else this.logger[level]({ context }, String(message), ...more);
  }
}
