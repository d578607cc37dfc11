import type { LoggerOptions } from 'pino';
import type { RequestIdentity } from '../../auth';
import { inOneLine } from '../../common';
import { redactDatabaseError } from '../../database';

/** An end of a line, for whichever reader, before that of the line itself. */
const INNER_END = /[\r\n\u0085\u2028\u2029](?!$)/;

/** How the service logs: JSON lines, whose fields name no query and no header of a request (docs/operations.md#log). */
export function loggingOptions(level: string): LoggerOptions {
  return {
    level,
    hooks: { streamWrite: asOneLine },
    serializers: { err: serializeError },
  };
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

function asOneLine(line: string): string {
  return INNER_END.test(line) ? `${inOneLine(line.trimEnd())}\n` : line;
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
