import { prettyFactory } from 'pino-pretty';
import { isRecord } from '../../common';

/** A request is one sentence; caller and address are for JSON logs. */
const HIDDEN = 'pid,hostname,context,req,res,responseTime,address,sandbox,user,organization,keyId';

/** Everything but new lines and tabs: a path or an error could move the cursor, or change what is on the screen. */
const CONTROL_CHARACTERS = /(?![\n\t])\p{Cc}/gu;

/**
 * Makes what turns lines of the log into text for a person: time, level, and what happened; the fields and the stack of an
 * error below.
 * @param hasColours whether the terminal shows colours
 */
export function terminalLines(hasColours: boolean): (line: string) => string {
  const format = prettyFactory({
    colorize: hasColours,
    translateTime: 'SYS:HH:MM:ss',
    ignore: HIDDEN,
    singleLine: true,
    messageFormat: sentence,
  });
  return (line) => format(JSON.parse(line, withoutControlCharacters) as object);
}

function withoutControlCharacters(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(CONTROL_CHARACTERS, '\uFFFD') : value;
}

function sentence(line: Readonly<Record<string, unknown>>, messageKey: string): string {
  const text = line[messageKey];
  const message = typeof text === 'string' ? text : '';
  const { req, res, responseTime } = line;
  if (!isRecord(req) || !isRecord(res)) return message;
  const how = message === 'request completed' ? '' : `: ${message}`;
  return `${String(req.method)} ${String(req.path)} ${String(res.status)} in ${String(responseTime)} ms${how}`;
}
