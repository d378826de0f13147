import { randomUUID } from 'node:crypto';
import { setTimeout as elapse } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanStart, Tracing } from './tracing.ts';
import type { TracingConfig } from './tracing-settings.ts';

export interface OtelTracingOptions extends TracingConfig {
  /** Of each service, as it is called in traces. */
  nameOf: (service: string) => string;
  version: string;
  /** Told of an error when spans can't be sent, and of none when they can again. */
  onChange: (fault: Error | undefined) => void;
}

/** Spans that wait to be sent; what is recorded beyond them is dropped. */
const WAITING_MAX = 4096;
const AT_ONCE_MAX = 512;
const SEND_EVERY_MS = 2000;
/** How long a collector may take for a batch, all tries included. */
const SEND_TIMEOUT_MS = 5000;
const FLUSH_MS = 1000;
const SUCCESS: number = ExportResultCode.SUCCESS;
const KINDS = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
} as const;

/**
 * Records spans by OpenTelemetry's SDK, and sends them by OTLP/HTTP. Its context manager and its instrumentations stay out: what a
 * piece of work is done for follows it in service-kit's own context.
 */
export function openOtelTracing(options: OtelTracingOptions): Tracing {
  const { endpoint, headers, ratio, nameOf, version, onChange } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter: tellingExporter(exporter, onChange),
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: AT_ONCE_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  const instance = randomUUID();
  const tracers = new Map<string, Tracer>();
  const tracerOf = (service: string): Tracer => {
    const known = tracers.get(service);
    if (known !== undefined) return known;
    const resource = resourceFromAttributes({
      'service.name': nameOf(service),
      'service.version': version,
      'service.instance.id': instance,
    });
    // A resource is a provider's: all share what sends their spans.
    const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
    const tracer = provider.getTracer('lobbystats', version);
    tracers.set(service, tracer);
    return tracer;
  };
  return {
    begin: (start) => spanOf(tracerOf(start.service), start, ratio),
    stop: async () => {
      await Promise.race([processor.shutdown().catch(() => undefined), elapse(FLUSH_MS, undefined, { ref: false })]);
    },
  };
}

function spanOf(tracer: Tracer, start: SpanStart, ratio: number): Span {
  const { kind, name, attributes = {}, links = [] } = start;
  const contexts = links.map((link) => parseTraceParent(link)).filter((context) => context !== null);
  const span = tracer.startSpan(
    name,
    { kind: KINDS[kind], attributes, links: contexts.map((context) => ({ context })) },
    contextOf(start, ratio),
  );
  return {
    traceparent: traceparentOf(span),
    end: ({ name: better, attributes: further, fault } = {}) => {
      if (better !== undefined) span.updateName(better);
      if (further !== undefined) span.setAttributes(further);
      if (fault !== undefined) span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function contextOf({ parent, isStrangers = false }: SpanStart, ratio: number): Context {
  const told = typeof parent === 'string' ? parseTraceParent(parent) : null;
  if (told === null) return ROOT_CONTEXT;
  const drawn = Math.random() < ratio ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const traceFlags = isStrangers ? drawn : told.traceFlags;
  return trace.setSpanContext(ROOT_CONTEXT, { ...told, traceFlags, isRemote: true });
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** An exporter that tells of the first failure, and of the first success after it. */
function tellingExporter(exporter: SpanExporter, onChange: (fault: Error | undefined) => void): SpanExporter {
  let isDown = false;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const code: number = result.code;
        const fails = code !== SUCCESS;
        if (fails !== isDown) onChange(fails ? (result.error ?? new Error('refused')) : undefined);
        isDown = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
