import { slotObserved } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { busHooks, context, createMetrics, silentLogger } from '@lobbystats/service-kit';
import { cleanUp } from '@lobbystats/test-kit';
import { beginCall } from '../src/tracing/spans.ts';
import { openOtelTracing } from '../src/tracing/otel-tracing.ts';
import { readTracingConfig } from '../src/tracing/tracing-settings.ts';
import { setTracing } from '../src/context/work-context.ts';
import type { Span, SpanOutcome, SpanStart } from '../src/tracing/tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparentWith = (flags: string) => `00-${TRACE}-b7ad6b7169203331-${flags}`;

function open(ratio: number) {
  const tracing = openOtelTracing({
    endpoint: 'http://127.0.0.1:1',
    version: '1',
    ratio,
    onChange: () => undefined,
  });
  cleanUp(() => tracing.stop());
  const flagsOf = (parent: unknown, isUntrusted: boolean) =>
    tracing.begin({ service: 'gateway', kind: 'server', name: 'GET', parent, isUntrusted }).traceparent;
  return { flagsOf };
}

/** Replaces OpenTelemetry and records spans. */
function recordSpans() {
  const spans: (SpanStart & { outcome?: SpanOutcome })[] = [];
  setTracing({
    begin: (start): Span => {
      const span: SpanStart & { outcome?: SpanOutcome } = { ...start };
      spans.push(span);
      return {
        traceparent: `00-${TRACE}-${String(spans.length).padStart(16, '0')}-01`,
        end: (outcome = {}) => {
          span.outcome = outcome;
        },
      };
    },
    stop: () => Promise.resolve(),
  });
  cleanUp(() => {
    setTracing(undefined);
  });
  return spans;
}

describe('sampling', () => {
  it('continues the trace of an untrusted caller and ignores its sampling flag', () => {
    for (const flags of ['00', '01']) {
      expect(open(1).flagsOf(traceparentWith(flags), true)).toMatch(
        new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`),
      );
      expect(open(0).flagsOf(traceparentWith(flags), true)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    }
  });

  it('follows the sampling flag of internal callers at any ratio', () => {
    expect(open(0).flagsOf(traceparentWith('01'), false)).toMatch(/-01$/);
    expect(open(1).flagsOf(traceparentWith('00'), false)).toMatch(/-00$/);
  });

  it.each([undefined, 7, '', 'x', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])(
    'starts a new trace if the parent is missing or malformed: %p',
    (parent) => {
      expect(open(1).flagsOf(parent, true)).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-\d\d$/);
      expect(open(1).flagsOf(parent, true)).not.toContain(TRACE);
    },
  );
});

describe('message spans', () => {
  const message = { id: 'message-1', type: 'slot.observed', traceparent: traceparentWith('01') };
  const hooks = () => busHooks(silentLogger(), createMetrics('standalone'), 'rabbitmq');

  it('belong to producer and consumer, and a batch links to all of its messages', async () => {
    const spans = recordSpans();
    const other = traceparentWith('00').replace('b7', 'b8');
    context.run({ traceparent: traceparentWith('01') }, () => hooks().publishing(slotObserved)?.end());
    const messages = [message, { ...message, traceparent: other }];
    await hooks().run(message, () => Promise.resolve(), { queue: 'series-api', messages });
    expect(spans).toMatchObject([
      {
        service: 'collector',
        kind: 'producer',
        name: 'send slot.observed',
        attributes: { 'messaging.system': 'rabbitmq', 'messaging.operation.name': 'send' },
        parent: traceparentWith('01'),
        outcome: {},
      },
      {
        service: 'series-api',
        kind: 'consumer',
        name: 'process slot.observed',
        attributes: { 'messaging.system': 'rabbitmq', 'messaging.operation.name': 'process' },
        parent: traceparentWith('01'),
        links: [other],
      },
    ]);
  });

  it('record the kind of an error and not its message', async () => {
    const spans = recordSpans();
    const fault = new AppError('unavailable', 'the store of hunter2 is away');
    const failing = hooks().run(message, () => Promise.reject(fault), { queue: 'series-api', messages: [message] });
    await expect(failing).rejects.toBe(fault);
    expect(spans[0]?.outcome).toEqual({ fault: 'unavailable' });
  });

  it('are the parents of the calls that the handler makes', async () => {
    const spans = recordSpans();
    const call = () => beginCall({ to: 'user-api', method: 'GET', route: '/api/profile/:username' });
    await hooks().run(message, async () => call()?.endWithStatus(503), { queue: 'series-api', messages: [message] });
    expect(spans[1]).toMatchObject({ service: 'series-api', kind: 'client', name: 'GET /api/profile/:username' });
    expect(spans[1]?.parent).toMatch(/-0{15}1-01$/);
    expect(spans[1]?.outcome?.fault).toBe('503');
    expect(call()).toBeUndefined();
  });
});

describe('readTracingConfig', () => {
  it('returns undefined without an endpoint, and records all traces by default', () => {
    expect(readTracingConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' };
    expect(readTracingConfig(env)).toEqual({ endpoint: 'http://c:4318', ratio: 1 });
    expect(readTracingConfig({ ...env, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toMatchObject({ ratio: 0.25 });
    expect(() => readTracingConfig({ ...env, OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(
      /OTEL_TRACES_SAMPLER_ARG must be/,
    );
  });
});
