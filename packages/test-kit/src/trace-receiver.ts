import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { cleanUp, type Scope } from './clean-up.ts';

export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly links: readonly string[];
}

export interface TraceReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly bodies: readonly string[];
  readonly lastHeaders: () => IncomingHttpHeaders;
}

export async function startTraceReceiver(scope: Scope = 'test'): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let lastHeaders: IncomingHttpHeaders = {};
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      lastHeaders = req.headers;
      if (req.method !== 'POST' || req.url !== '/v1/traces') {
        res.writeHead(404).end();
        return;
      }
      bodies.push(body);
      spans.push(...spansOf(JSON.parse(body) as Batch));
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  });
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  }, scope);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, bodies, lastHeaders: () => lastHeaders };
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
interface Batch {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
  links: { spanId: string }[];
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const FAILED = 2;

function spansOf({ resourceSpans }: Batch): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toReceivedSpan(service, span)));
  });
}

function toReceivedSpan(service: string, span: SentSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status, links } = span;
  return {
    ...{ service, name, traceId, spanId, parentSpanId },
    kind: KINDS[kind] ?? 'unspecified',
    attributes: valuesOf(attributes),
    failed: status.code === FAILED,
    links: links.map((link) => link.spanId),
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
