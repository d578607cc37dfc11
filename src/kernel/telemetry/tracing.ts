import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { VERSION } from '../common';

/** By which traces and metrics name what made them. */
export const SERVICE_NAME = 'org-conversation-service';

/** Where a trace goes on: the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** The ids of the span in which something is logged. */
interface SpanIdentity {
  readonly trace_id: string;
  readonly span_id: string;
}

interface SpanOptions {
  readonly kind?: SpanKind;
  /**
   * By the names of OpenTelemetry's semantic conventions, and only what anybody may read who sees traces: no key, no text of a
   * user, no path or query of a URL. What is undefined is left out.
   */
  readonly attributes?: Attributes;
  /** The parent, instead of the active span; null begins a trace. */
  readonly parent?: TraceContext | null;
}

/** Stands for all spans while there are none. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Whether OpenTelemetry's SDK is there; without it, its API would do nothing either, but take longer. */
let isOn = false;

/** From now on spans are made, or no more (docs/decisions/0043-telemetry.md). */
export function setTracing(next: boolean): void {
  isOn = next;
}

/** Whether spans are made. */
export function isTracing(): boolean {
  return isOn;
}

/** Whether the work under way belongs to a span that is recorded. */
export function isRecording(): boolean {
  const flags = isOn ? trace.getSpanContext(context.active())?.traceFlags : undefined;
  return flags !== undefined && (flags & TraceFlags.SAMPLED) !== 0;
}

/** Does work in a span that the work itself ends. */
export function startSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
  if (!isOn) return work(NO_SPAN);
  const { parent, ...rest } = options;
  const within = contextOf(parent);
  const span = trace.getTracer(SERVICE_NAME, VERSION).startSpan(name, rest, within);
  return context.with(trace.setSpan(within, span), work, undefined, span);
}

/** Does work in a span that ends with it, and fails if it rejects. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!isOn) return work(NO_SPAN);
  return startSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, failureType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** What a span is of has failed. @param type a short word, such as the code or the class of an error */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** Where the trace of the work under way can be gone on with. */
export function traceContext(): TraceContext | undefined {
  if (!isOn) return undefined;
  const carrier: { traceparent?: string; tracestate?: string } = {};
  propagation.inject(context.active(), carrier);
  const { traceparent, tracestate } = carrier;
  return traceparent === undefined ? undefined : { traceparent, tracestate };
}

/** A trace as headers, names and values alternating; none where there is no trace. */
export function traceHeaders(traced = traceContext()): string[] {
  if (traced === undefined) return [];
  const { traceparent, tracestate } = traced;
  return ['traceparent', traceparent, ...(tracestate === undefined ? [] : ['tracestate', tracestate])];
}

/** The ids of the span under way. */
export function spanIdentity(): SpanIdentity | undefined {
  const active = isOn ? trace.getSpanContext(context.active()) : undefined;
  return active && { trace_id: active.traceId, span_id: active.spanId };
}

/** Runs shared work outside of the active span, which merely happens to trigger it. */
export function outsideOfSpans<Result>(work: () => Result): Result {
  return isOn ? context.with(ROOT_CONTEXT, work) : work();
}

/** An error in one word: messages may have texts of users. */
export function failureType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
}

function contextOf(parent: TraceContext | null | undefined): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, parent);
}
