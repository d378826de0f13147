import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually, getJson } from '@lobbystats/test-kit';
import { runSystemProcess } from './system-process.ts';

const path = operations.getOnlineSeries.path;
const loadedBy = (err: string) => [...err.matchAll(/^loaded (.+)$/gm)].map(([, name]) => name);

/** A server that takes connections and says nothing. */
async function silentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => {
        resolve();
      });
    });
  cleanUp(close);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('a system that nobody takes traces of', () => {
  it('loads nothing of OpenTelemetry where no endpoint is set, but the names that prom-client brings', async () => {
    const { url, written, stop } = await runSystemProcess({ OTEL_TRACES_SAMPLER_ARG: '0.5' });
    expect((await getJson(url + path)).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(loadedBy(written.err)).toEqual(['@opentelemetry/api']);
  });

  it('works, and ends in time, where who takes them accepts and never answers', async () => {
    const { url: endpoint } = await silentServer();
    const { url, written, stop } = await runSystemProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect((await getJson(url + path)).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(written.err).not.toContain('did not stop');
    expect(loadedBy(written.err)).toContain('@opentelemetry/exporter-trace-otlp-http');
  });

  it('works where who takes them is away, and says so once', async () => {
    const { url: endpoint, close } = await silentServer();
    await close();
    const { url, written, stop } = await runSystemProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const ask = async () => {
      expect((await getJson(url + path)).status).toBe(200);
      expect(written.out).toContain('traces can not be sent');
    };
    await eventually(ask, { timeoutMs: 30_000, everyMs: 200 });
    expect((await stop()).code).toBe(0);
    expect(written.out.match(/traces can not be sent/g)).toHaveLength(1);
  });

  it('does not start with settings that mean nothing', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'secret-token' };
    const started = runSystemProcess({ ...env, OTEL_TRACES_SAMPLER_ARG: '2' });
    await expect(started).rejects.toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/);
    await expect(started).rejects.toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE/);
    await expect(started).rejects.toThrow(/OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/);
    await expect(started).rejects.not.toThrow(/secret-token/);
  });
});
