import { operations } from '@lobbystats/contracts';
import { eventually, getJson, startTraceReceiver, type ReceivedSpan } from '@lobbystats/test-kit';
import { runSystemProcess } from './system-process.ts';

const SESSION_KEY = 'a-session-key-that-nobody-else-may-see';
const SECRETS = [SESSION_KEY, 'Somebody-Unknown', 'hunter2', 'never written here'];
let spans: readonly ReceivedSpan[] = [];
let exportedText = '';
let exit: object = {};
let packages: readonly string[] = [];

/** Runs a system through one slot with some requests, and collects all its traces. */
beforeAll(async () => {
  const receiver = await startTraceReceiver('file');
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
    OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=a%20b',
  };
  const { url, stop, output } = await runSystemProcess(env, 'file');
  await eventually(async () => {
    const { body } = await getJson<unknown[]>(url + operations.getOnlineSeries.path);
    if (body.length === 0) throw new Error('the slot is not stored yet');
  });
  const profile = `${url}${operations.getReputation.path.replace(':username', 'Somebody-Unknown')}`;
  await getJson(`${profile}?feedbackLimit=3&password=hunter2`, { headers: { 'X-Session-Key': SESSION_KEY } });
  await getJson(`${url}/api/search/players?names=Somebody-Unknown`);
  const rating = { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Session-Key': SESSION_KEY } };
  await getJson(profile, { ...rating, body: JSON.stringify({ stars: 5, comment: 'never written here' }) });
  // Recorded spans are exported at the end.
  const { code } = await stop();
  exit = { code, log: output.out, token: receiver.lastHeaders()['x-token'] };
  packages = /^loaded (.+)$/m.exec(output.out)?.[1]?.split(' ') ?? [];
  ({ spans } = receiver);
  exportedText = receiver.bodies.join('\n');
});

function parentOf({ traceId, parentSpanId }: ReceivedSpan): ReceivedSpan | undefined {
  return spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId);
}

function findSpan(isMatch: (span: ReceivedSpan) => boolean): ReceivedSpan {
  const found = spans.find(isMatch);
  if (found === undefined)
    throw new Error(`not among ${spans.map(({ service, name }) => `${service}: ${name}`).join(', ')}`);
  return found;
}

describe('the standalone system', () => {
  it('does not load the client of InfluxDB', () => {
    expect(packages).toContain('express');
    expect(packages.filter((name) => name.startsWith('@influxdata/'))).toEqual([]);
  });
});

describe('traces', () => {
  it('are exported completely before the process exits, with the configured headers and resource', () => {
    const quiet = expect.not.stringContaining('traces can not be sent') as string;
    expect(exit).toEqual({ code: 0, token: 'a b', log: quiet });
    expect(exportedText).toContain('{"key":"k8s.pod.name","value":{"stringValue":"a b"}}');
  });

  it('link a client request through the gateway to the upstream that answers', () => {
    const route = operations.getOnlineSeries.path;
    const answered = findSpan(({ service, name }) => service === 'series-api' && name === `GET ${route}`);
    expect(answered).toMatchObject({
      kind: 'server',
      attributes: { 'http.route': route, 'http.response.status_code': 200 },
    });
    const called = parentOf(answered);
    expect(called).toMatchObject({ service: 'gateway', kind: 'client', name: `GET ${route}` });
    expect(called?.attributes).toMatchObject({ 'server.address': 'series-api', 'http.response.status_code': 200 });
    const asked = parentOf(called!);
    expect(asked).toMatchObject({ service: 'gateway', kind: 'server', name: `GET ${route}`, parentSpanId: undefined });
    expect(asked?.attributes['http.response.status_code']).toBe(200);
  });

  it('link the slot published by the collector to its processing in series-api', () => {
    const handled = findSpan(({ service, name }) => service === 'series-api' && name === 'process slot.observed');
    expect(handled.kind).toBe('consumer');
    expect(parentOf(handled)).toMatchObject({ service: 'collector', kind: 'producer', name: 'send slot.observed' });
  });

  it('show the pages that a collector job fetched', () => {
    const asked = spans.filter(({ service, kind }) => service === 'collector' && kind === 'client');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map((span) => parentOf(span)?.kind)).toEqual(asked.map(() => 'consumer'));
  });

  it('contain no usernames, search terms or session keys', () => {
    expect(spans.some(({ name }) => name === `GET ${operations.getReputation.path}`)).toBe(true);
    expect(
      SECRETS.filter((secret) => exportedText.includes(secret) || exportedText.includes(encodeURIComponent(secret))),
    ).toEqual([]);
    expect(exportedText).not.toContain('?');
  });
});
