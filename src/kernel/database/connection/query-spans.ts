import { type Span, SpanKind } from '@opentelemetry/api';
import type { Client } from 'pg';
import { failSpan, failureType, isRecording, startSpan } from '../../telemetry';

/** Statements whose summaries are kept; there are a few hundred. */
const MOST_SUMMARIES = 1_000;
const MOST_CHARACTERS = 2_000;

/** The attributes of a statement. */
interface Summary {
  /** The operation and its first table. */
  readonly summary: string;
  /** The text without quoted literals; other values are parameters. */
  readonly text: string;
}

const summaries = new Map<string, Summary>();

/** Has each query of a client be a span, where it is part of something that is recorded. */
export function traceQueries(client: Client): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') return;
  const run = (args: readonly unknown[]): unknown => Reflect.apply(query, client, args);
  Reflect.set(client, 'query', (...args: unknown[]) => {
    const text = textOf(args[0]);
    return text === null || !isRecording() ? run(args) : inQuerySpan(client, text, args, run);
  });
}

function inQuerySpan(
  { database, host, port }: Client,
  statement: string,
  args: readonly unknown[],
  run: (args: readonly unknown[]) => unknown,
): unknown {
  const { summary, text } = summaryOf(statement);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.namespace': database,
    'db.query.summary': summary,
    'db.query.text': text,
    'server.address': host,
    'server.port': port,
  };
  return startSpan(summary, { kind: SpanKind.CLIENT, attributes }, (span) => {
    const last = args.at(-1);
    if (isCallback(last)) {
      return run([
        ...args.slice(0, -1),
        (error: unknown, ...rest: unknown[]) => {
          end(span, error);
          last(error, ...rest);
        },
      ]);
    }
    const result = run(args);
    if (result instanceof Promise)
      void result.then(
        () => end(span, null),
        (error: unknown) => end(span, error),
      );
    else span.end();
    return result;
  });
}

function end(span: Span, error: unknown): void {
  if (error !== null && error !== undefined) failSpan(span, failureType(error));
  span.end();
}

/** Null for an object that reads rows by itself instead of a statement. */
function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query || !('text' in query)) return null;
  return typeof query.text === 'string' ? query.text : null;
}

function isCallback(value: unknown): value is (...args: unknown[]) => void {
  return typeof value === 'function';
}

function summaryOf(statement: string): Summary {
  const known = summaries.get(statement);
  if (known !== undefined) return known;
  const text = statement
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
  const operation = /^\w+/.exec(text)?.[0].toUpperCase() ?? 'QUERY';
  const table = /\b(?:FROM|INTO|UPDATE)\s+(?:ONLY )?"?([a-z_][\w.]*)/.exec(text)?.[1];
  const made = { summary: table === undefined ? operation : `${operation} ${table}`, text };
  if (summaries.size < MOST_SUMMARIES) summaries.set(statement, made);
  return made;
}
