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
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanStart, Tracing } from './tracing.ts';
import type { TracingConfig } from './tracing-settings.ts';

interface OtelTracingOptions extends TracingConfig {
  version: string;
  /** Called with an error when exporting begins to fail, and with undefined when it works again. */
  onChange: (fault: Error | undefined) => void;
}

/** Further spans are dropped. */
const QUEUE_MAX = 4096;
const BATCH_MAX = 512;
const EXPORT_INTERVAL_MS = 2000;
/** Timeout of a batch, retries included. */
const EXPORT_TIMEOUT_MS = 5000;
const FLUSH_MS = 1000;
const SUCCESS: number = ExportResultCode.SUCCESS;
const KINDS = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
} as const;

/** Exports by OTLP/HTTP. OpenTelemetry reads the headers and the resource from its own variables. service-kit's own context replaces OpenTelemetry's context manager and instrumentations. */
export function openOtelTracing(options: OtelTracingOptions): Tracing {
  const { endpoint, ratio, version, onChange } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter: reportingExporter(exporter, onChange),
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: EXPORT_INTERVAL_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  const instance = randomUUID();
  const environment = detectResources({ detectors: [resourceAttributesEnvDetector] });
  const tracers = new Map<string, Tracer>();
  const tracerOf = (service: string): Tracer => {
    const existing = tracers.get(service);
    if (existing !== undefined) return existing;
    const own = { 'service.name': service, 'service.version': version, 'service.instance.id': instance };
    const resource = environment.merge(resourceFromAttributes(own));
    // A provider has one resource; all providers share the span processor.
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
    end: ({ name: finalName, attributes: added, fault } = {}) => {
      if (finalName !== undefined) span.updateName(finalName);
      if (added !== undefined) span.setAttributes(added);
      if (fault !== undefined) span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function contextOf({ parent, isUntrusted = false }: SpanStart, ratio: number): Context {
  const remote = typeof parent === 'string' ? parseTraceParent(parent) : null;
  if (remote === null) return ROOT_CONTEXT;
  const ownFlags = Math.random() < ratio ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const traceFlags = isUntrusted ? ownFlags : remote.traceFlags;
  return trace.setSpanContext(ROOT_CONTEXT, { ...remote, traceFlags, isRemote: true });
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Reports the first failure, and the first success after it. */
function reportingExporter(exporter: SpanExporter, onChange: (fault: Error | undefined) => void): SpanExporter {
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
