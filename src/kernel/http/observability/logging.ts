import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { DestinationStream, LogFn, Logger } from 'pino';
import { requestIdentity, type RequestIdentity } from '../../auth';
import { inOneLine } from '../../common';
import { redactDatabaseError } from '../../database';
import { isTracing, jobIdentity, spanIdentity } from '../../telemetry';
import { clientAddress } from '../request/client-address';
import { isProbe } from '../server/request-span';

/** Loggers of the framework that only report start-up progress. */
const NOISE = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);
const INFO = 30;

/**
 * How the service logs: one line per request without its query (links carry tokens there) and
 * without its headers (they carry keys), but with who made it (docs/operations.md#log).
 * @param stream where it goes; standard output where it is left out
 */
export function loggingOptions(level: string, stream?: DestinationStream): Params {
  return {
    pinoHttp: {
      level,
      ...(stream && { stream }),
      mixin: isTracing() ? () => ({ ...jobIdentity(), ...spanIdentity() }) : () => ({ ...jobIdentity() }),
      genReqId: (request: IncomingMessage) => request.id,
      customAttributeKeys: { reqId: 'requestId' },
      quietReqLogger: true,
      hooks: { logMethod: dropStartUpNoise, streamWrite: asOneLine },
      wrapSerializers: false,
      serializers: {
        err: serializeError,
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?', 1)[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
      // Read when the request comes: a connection that has ended has no address.
      customProps: (request: IncomingMessage) => ({ address: clientAddress(request) }),
      customSuccessObject: withCaller,
      customErrorObject: (request: IncomingMessage, _response, _error, line: object) =>
        withCaller(request, _response, line),
      customLogLevel: levelOf,
    },
  };
}

/** Probes come every few seconds: their lines would be most of the log. */
function levelOf(request: IncomingMessage, response: ServerResponse): 'debug' | 'info' | 'warn' {
  if (response.statusCode >= 500) return 'warn';
  return isProbe(request.url) ? 'debug' : 'info';
}

/** The log line of a request, with the ids of its caller and organization. */
function withCaller(request: IncomingMessage, _response: ServerResponse, line: object): object {
  return { ...line, ...callerOf(requestIdentity(request)) };
}

/** The caller of a request, as logged. */
interface LoggedCaller {
  readonly sandbox?: string | null;
  readonly user?: string | null;
  readonly organization?: string | null;
  readonly keyId?: number;
}

/** The ids of the caller and organization of a request. */
export function callerOf({ caller, sandbox, org }: RequestIdentity): LoggedCaller {
  if (sandbox !== undefined)
    return { sandbox: sandbox.sandboxId, user: sandbox.createdByUserId, organization: sandbox.orgId };
  if (caller === undefined) return {};
  const { userId: user, keyId, boundOrgId, selectedOrgId, currentOrgId } = caller;
  const organization = org?.orgId ?? boundOrgId ?? selectedOrgId ?? currentOrgId;
  return { user, organization, keyId };
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

function asOneLine(line: string): string {
  return `${inOneLine(line.trimEnd())}\n`;
}

/** An error as it is logged: never with the parameters of a statement, which are user data. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  const safe = redactDatabaseError(error) ?? {
    message: error.message,
    ...(typeof code === 'string' && { code }),
  };
  return {
    type: error.constructor.name,
    ...safe,
    stack: stackOf(error, safe.message),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  };
}

/** The stack of an error with its redacted message: a stack begins with the message. */
function stackOf(error: Error, message: string): string | undefined {
  if (message === error.message) return error.stack;
  const [, calls] = error.stack?.split(error.message) ?? [];
  return calls === undefined ? undefined : `${error.constructor.name}: ${message}${calls}`;
}
