import { SpanKind } from '@opentelemetry/api';
import { z } from 'zod';
import { isRecord } from '../../common';
import { inSpan, isRecording, type TraceContext, traceContext } from '../../telemetry';

/** Where a payload carries the trace of what added the job. */
const KEY = 'trace_context';

/** Which run of which job. */
interface Run {
  readonly id: string;
  readonly name: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** A payload, and the trace that it is a part of, unless that is the one under way. */
interface Traced {
  readonly payload: unknown;
  readonly traceContext?: TraceContext | null;
}

const traceSchema = z.object({ traceparent: z.string(), tracestate: z.string().optional() });

/** A payload as it is stored: with the trace that it goes on with, where one is recorded. */
export function withTrace({ payload, traceContext: chosen }: Traced): unknown {
  const context = chosen ?? (isRecording() ? traceContext() : undefined);
  return isRecord(payload) && context !== undefined ? { ...payload, [KEY]: context } : payload;
}

/**
 * Runs a job in a span, as a part of the trace of what added it.
 * @param run is given the payload as it was added
 */
export function inJobSpan(
  stored: unknown,
  { id, name, attempt }: Run,
  run: (payload: unknown) => Promise<void>,
): Promise<void> {
  const { [KEY]: carried, ...payload } = isRecord(stored) ? stored : { [KEY]: undefined };
  const parent = traceSchema.safeParse(carried).data ?? null;
  const [job = name] = name.split('@', 1);
  const attributes = {
    'messaging.system': 'graphile_worker',
    'messaging.operation.type': 'process',
    'messaging.destination.name': job,
    'messaging.message.id': id,
    'messaging.message.delivery_attempt': attempt,
  };
  return inSpan(`process ${job}`, { kind: SpanKind.CONSUMER, attributes, parent }, () =>
    run(isRecord(stored) ? payload : stored),
  );
}
