import { HostProblem, isRecord, messageOf } from '../../../../kernel/common';

/** What people read instead of the codes of connections, which come with addresses of the service's network. */
const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the end of the answer.',
  EPIPE: 'The connection was closed before the end of the answer.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
};

/** Why a callback failed, without addresses, URLs or anything else that its owner did not enter. */
export function failureText(error: unknown): string {
  const refusal = problemOf(error);
  if (refusal !== null) return `It was not sent: ${refusal}.`;
  const code = codeOf(error);
  if (code === null) return 'The answer could not be read.';
  return TEXTS[code] ?? `The connection failed (${code}).`;
}

/** Of a refused address, behind whatever error the client made of it. */
function problemOf(error: unknown): string | null {
  if (error instanceof HostProblem) return messageOf(error);
  return isRecord(error) && error['cause'] !== undefined && error['cause'] !== error
    ? problemOf(error['cause'])
    : null;
}

function codeOf(error: unknown): string | null {
  if (!isRecord(error)) return null;
  const { code, cause } = error;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  return cause === undefined || cause === error ? null : codeOf(cause);
}
