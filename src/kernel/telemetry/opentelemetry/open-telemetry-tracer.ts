import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  SpanKind as ApiSpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as ApiTracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Attributes, Span, SpanIdentity, SpanKind, SpanOptions, TraceContext, Tracer } from '../tracing';

const KINDS: Readonly<Record<SpanKind, ApiSpanKind>> = {
  internal: ApiSpanKind.INTERNAL,
  server: ApiSpanKind.SERVER,
  client: ApiSpanKind.CLIENT,
  consumer: ApiSpanKind.CONSUMER,
};

/** Makes spans with OpenTelemetry's SDK. */
export class OpenTelemetryTracer implements Tracer {
  private readonly propagator = new W3CTraceContextPropagator();

  constructor(private readonly tracer: ApiTracer) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }

  startSpan<Result>(
    name: string,
    { kind = 'internal', attributes = {}, parent }: SpanOptions,
    work: (span: Span) => Result,
  ): Result {
    const within = this.contextOf(parent);
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes }, within);
    return context.with(trace.setSpan(within, span), work, undefined, new StartedSpan(span));
  }

  context(): TraceContext | undefined {
    const carrier: { traceparent?: string; tracestate?: string } = {};
    this.propagator.inject(context.active(), carrier, {
      set: (into: typeof carrier, key, value) => {
        if (key === 'traceparent' || key === 'tracestate') into[key] = value;
      },
    });
    const { traceparent, tracestate } = carrier;
    return traceparent === undefined ? undefined : { traceparent, tracestate };
  }

  identity(): SpanIdentity | undefined {
    const active = trace.getSpanContext(context.active());
    return active && { trace_id: active.traceId, span_id: active.spanId };
  }

  isRecording(): boolean {
    const active = trace.getSpanContext(context.active());
    return active !== undefined && (active.traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  outsideOfSpans<Result>(work: () => Result): Result {
    return context.with(ROOT_CONTEXT, work);
  }

  private contextOf(parent: TraceContext | null | undefined): Context {
    if (parent === undefined) return context.active();
    if (parent === null) return ROOT_CONTEXT;
    return this.propagator.extract(ROOT_CONTEXT, parent, {
      get: ({ traceparent, tracestate }: TraceContext, key) =>
        key === 'traceparent' ? traceparent : tracestate,
      keys: Object.keys,
    });
  }
}

class StartedSpan implements Span {
  constructor(private readonly span: ApiSpan) {}

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}
