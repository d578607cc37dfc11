import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { LogFn, Logger } from 'pino';
import { redactDatabaseError } from '../../database';

/** What the framework tells of itself at every start. */
const NOISE = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);
const INFO = 30;

/**
 * How the service logs: one JSON line per request without its query (links carry tokens there) and
 * without its headers (they carry keys).
 */
export function loggingOptions(level: string): Params {
  return {
    pinoHttp: {
      level,
      genReqId: (request: IncomingMessage) => request.id,
      customAttributeKeys: { reqId: 'requestId' },
      quietReqLogger: true,
      hooks: { logMethod: dropStartUpNoise },
      wrapSerializers: false,
      serializers: {
        err: toldError,
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?', 1)[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
      customLogLevel: (_request: IncomingMessage, response: ServerResponse) =>
        response.statusCode >= 500 ? 'warn' : 'info',
    },
  };
}

function dropStartUpNoise(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [first] = args as [unknown];
  if (
    level <= INFO &&
    typeof first === 'object' &&
    first !== null &&
    'context' in first &&
    NOISE.has(String(first.context))
  )
    return;
  method.apply(this, args);
}

/** What the log has of an error: never the values of a statement, which are what people wrote. */
function toldError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  const told = redactDatabaseError(error) ?? {
    message: error.message,
    ...(typeof code === 'string' && { code }),
  };
  return {
    type: error.constructor.name,
    ...told,
    stack: stackOf(error, told.message),
    ...(error.cause !== undefined && { cause: toldError(error.cause) }),
  };
}

/** Where an error comes from, with its message as it may be told: a stack begins with the message. */
function stackOf(error: Error, message: string): string | undefined {
  if (message === error.message) return error.stack;
  const [, calls] = error.stack?.split(error.message) ?? [];
  return calls === undefined ? undefined : `${error.constructor.name}: ${message}${calls}`;
}
