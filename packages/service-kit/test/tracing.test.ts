import { AppError } from '@lobbystats/errors';
import { busHooks, context, createMetrics, silentLogger } from '@lobbystats/service-kit';
import { cleanUp } from '@lobbystats/test-kit';
import { beginCall } from '../src/tracing/call-span.ts';
import { openOtelTracing } from '../src/tracing/otel-tracing.ts';
import { readTracingConfig } from '../src/tracing/tracing-settings.ts';
import { setTracing, type Span, type SpanOutcome, type SpanStart } from '../src/tracing/tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const told = (flags: string) => `00-${TRACE}-b7ad6b7169203331-${flags}`;

function open(ratio: number) {
  const tracing = openOtelTracing({
    endpoint: 'http://127.0.0.1:1',
    headers: {},
    serviceName: undefined,
    nameOf: (service) => service,
    version: '1',
    ratio,
    onChange: () => undefined,
  });
  cleanUp(() => tracing.stop());
  const flagsOf = (parent: unknown, isUntrusted: boolean) =>
    tracing.begin({ service: 'gateway', kind: 'server', name: 'GET', parent, isUntrusted }).traceparent;
  return { flagsOf };
}

/** Records what is begun and ended, in the place of OpenTelemetry. */
function recorded() {
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

describe('what is recorded', () => {
  it("goes on with a stranger's trace, and leaves it to nobody but us how much of it is recorded", () => {
    for (const flags of ['00', '01']) {
      expect(open(1).flagsOf(told(flags), true)).toMatch(
        new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`),
      );
      expect(open(0).flagsOf(told(flags), true)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    }
  });

  it('is what our own services have begun to record, whatever the share', () => {
    expect(open(0).flagsOf(told('01'), false)).toMatch(/-01$/);
    expect(open(1).flagsOf(told('00'), false)).toMatch(/-00$/);
  });

  it.each([undefined, 7, '', 'x', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])(
    'begins a trace where there is none: %p',
    (parent) => {
      expect(open(1).flagsOf(parent, true)).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-\d\d$/);
      expect(open(1).flagsOf(parent, true)).not.toContain(TRACE);
    },
  );
});

describe('the spans of messages', () => {
  const type = { key: 'slot.observed', exchange: 'observations', producer: 'collector' };
  const message = { id: 'message-1', type: 'slot.observed', traceparent: told('01') };
  const hooks = () => busHooks(silentLogger(), createMetrics('standalone'));

  it('are of who says them and of who handles them, a batch linked to all of its messages', async () => {
    const spans = recorded();
    const other = told('00').replace('b7', 'b8');
    context.run({ traceparent: told('01') }, () => hooks().publishing(type)?.end());
    const messages = [message, { ...message, traceparent: other }];
    await hooks().run(message, () => Promise.resolve(), { queue: 'series-api', messages });
    expect(spans).toMatchObject([
      { service: 'collector', kind: 'producer', name: 'send slot.observed', parent: told('01'), outcome: {} },
      { service: 'series-api', kind: 'consumer', name: 'process slot.observed', parent: told('01'), links: [other] },
    ]);
  });

  it('say what kind of fault it was, and nothing that it says', async () => {
    const spans = recorded();
    const fault = new AppError('unavailable', 'the store of hunter2 is away');
    const failing = hooks().run(message, () => Promise.reject(fault), { queue: 'series-api', messages: [message] });
    await expect(failing).rejects.toBe(fault);
    expect(spans[0]?.outcome).toEqual({ fault: 'unavailable' });
  });

  it('are what calls are made under that the handler makes', async () => {
    const spans = recorded();
    const call = () => beginCall({ to: 'user-api', method: 'GET', route: '/api/profile/:username' });
    await hooks().run(message, async () => call()?.answered(503), { queue: 'series-api', messages: [message] });
    expect(spans[1]).toMatchObject({ service: 'series-api', kind: 'client', name: 'GET /api/profile/:username' });
    expect(spans[1]?.parent).toMatch(/-0{15}1-01$/);
    expect(spans[1]?.outcome?.fault).toBe('503');
    expect(call()).toBeUndefined();
  });
});

describe('the settings of traces', () => {
  it("are none without an endpoint, and OpenTelemetry's own with one", () => {
    expect(readTracingConfig({ OTEL_SERVICE_NAME: 'x' })).toBeUndefined();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d==e' };
    expect(readTracingConfig({ ...env, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toEqual({
      ...{ endpoint: 'http://c:4318', headers: { a: 'b c', d: '=e' }, serviceName: undefined, ratio: 0.25 },
    });
  });

  it.each(['secret', 'a=%zz', 'a=b\u0000', ' =x'])('refuse headers that are none: %p', (headers) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_HEADERS: headers };
    expect(() => readTracingConfig(env)).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be/);
  });
});
