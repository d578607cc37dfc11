/** What a span is of, as OpenTelemetry calls it. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** By the names of OpenTelemetry's semantic conventions; what is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where a trace goes on: the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** The ids of the span in which something is logged. */
export interface SpanIdentity {
  readonly trace_id: string;
  readonly span_id: string;
}

/** A span under way. */
export interface Span {
  /** Only what anybody may read who sees traces: no key, no text of a user, no path or query of a URL. */
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** What it is of has failed. @param type a short word, such as the code or the class of an error */
  fail(type: string): void;
  end(): void;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** What it is a part of, instead of the span under way; null begins a trace. */
  readonly parent?: TraceContext | null;
}

/** What makes spans; there is none unless traces are on (docs/decisions/0043-telemetry.md). */
export interface Tracer {
  startSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result;
  /** Of the span under way. */
  context(): TraceContext | undefined;
  /** Of the span under way. */
  identity(): SpanIdentity | undefined;
  /** Whether the span under way is recorded. */
  isRecording(): boolean;
  outsideOfSpans<Result>(work: () => Result): Result;
}

const NO_SPAN: Span = {
  set: () => undefined,
  rename: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

let tracer: Tracer | undefined;

/** From now on spans are made, or no more. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether spans are made. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Whether the work under way belongs to a span that is recorded. */
export function isRecording(): boolean {
  return tracer?.isRecording() ?? false;
}

/** Does work in a span that whoever does it ends. */
export function startSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
  return tracer === undefined ? work(NO_SPAN) : tracer.startSpan(name, options, work);
}

/** Does work in a span that ends with it, and fails if it rejects. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (tracer === undefined) return work(NO_SPAN);
  return tracer.startSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(failureType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Where the trace of the work under way can be gone on with. */
export function traceContext(): TraceContext | undefined {
  return tracer?.context();
}

/** A trace as headers, names and values alternating; none where there is no trace. */
export function traceHeaders(context = traceContext()): string[] {
  if (context === undefined) return [];
  const { traceparent, tracestate } = context;
  return ['traceparent', traceparent, ...(tracestate === undefined ? [] : ['tracestate', tracestate])];
}

/** The ids of the span under way. */
export function spanIdentity(): SpanIdentity | undefined {
  return tracer?.identity();
}

/** Does what only happens to be begun by the work under way, and serves others as well: it belongs to no span. */
export function outsideOfSpans<Result>(work: () => Result): Result {
  return tracer === undefined ? work() : tracer.outsideOfSpans(work);
}

/** An error in one word: messages may have texts of users. */
export function failureType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
}
