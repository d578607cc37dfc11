import type { MailOutcome } from './email-message';

const MAX_REPLY = 300;

/** Commands whose refusal is about this email or its recipient, not about us. */
const MESSAGE_COMMANDS = new Set(['RCPT TO', 'DATA']);

/**
 * Decides whether a failure to send is permanent. A 5xx to the recipient or the message is; a mail server that
 * is unreachable, slow, busy (4xx), or that refuses our sender or password may accept the same email later, once
 * an operator has looked at it.
 */
export function outcomeOfFailure(error: unknown): Exclude<MailOutcome, { kind: 'sent' }> {
  const { responseCode, command, code, response } = partsOf(error);
  if (responseCode === null)
    return code === 'EENVELOPE'
      ? { kind: 'refused', detail: 'The address cannot be mailed.' }
      : { kind: 'delayed', detail: 'The mail server cannot be reached; it is tried again.' };
  if (!MESSAGE_COMMANDS.has(command))
    return {
      kind: 'delayed',
      detail: 'The mail server does not take mail from this service; it is tried again.',
    };
  // 503 is about the order of commands in the session.
  return responseCode >= 500 && responseCode !== 503
    ? { kind: 'refused', detail: `The mail server refused the mail: ${response}` }
    : { kind: 'delayed', detail: `The mail server asks to try again later: ${response}` };
}

function partsOf(error: unknown): {
  responseCode: number | null;
  command: string;
  code: string;
  response: string;
} {
  const get = (name: string): unknown =>
    typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const responseCode = get('responseCode');
  return {
    responseCode: typeof responseCode === 'number' ? responseCode : null,
    command: text(get('command')),
    code: text(get('code')),
    response: sanitizedReply(text(get('response'))),
  };
}

/**
 * The reply of a mail server, fit to be stored and logged: on one line, and without the query strings of links,
 * which it may repeat from the email and which carry tokens.
 */
export function sanitizedReply(reply: string): string {
  return reply
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/\?[^\s?]*=\S*/g, '?…')
    .slice(0, MAX_REPLY);
}
