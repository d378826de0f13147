import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually, getJson } from '@lobbystats/test-kit';
import { runSystemProcess } from './system-process.ts';

const path = operations.getOnlineSeries.path;
const loadedPackages = (err: string) => [...err.matchAll(/^loaded (.+)$/gm)].map(([, name]) => name);

/** A server that accepts connections and never responds. */
async function startSilentServer() {
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

describe('system without a working trace receiver', () => {
  it('loads only @opentelemetry/api (through prom-client) without an OTLP endpoint', async () => {
    const { url, output, stop } = await runSystemProcess({ OTEL_TRACES_SAMPLER_ARG: '0.5' });
    expect((await getJson(url + path)).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(loadedPackages(output.err)).toEqual(['@opentelemetry/api']);
  });

  it('works and stops in time when the receiver accepts connections and never responds', async () => {
    const { url: endpoint } = await startSilentServer();
    const { url, output, stop } = await runSystemProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect((await getJson(url + path)).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(output.err).not.toContain('did not stop');
    expect(loadedPackages(output.err)).toContain('@opentelemetry/exporter-trace-otlp-http');
  });

  it('works and logs one warning when the receiver is unreachable', async () => {
    const { url: endpoint, close } = await startSilentServer();
    await close();
    const { url, output, stop } = await runSystemProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const ask = async () => {
      expect((await getJson(url + path)).status).toBe(200);
      expect(output.out).toContain('traces can not be sent');
    };
    await eventually(ask, { everyMs: 200 });
    expect((await stop()).code).toBe(0);
    expect(output.out.match(/traces can not be sent/g)).toHaveLength(1);
  });

  it('does not start with invalid trace settings', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'secret-token' };
    const started = runSystemProcess({ ...env, OTEL_TRACES_SAMPLER_ARG: '2' });
    await expect(started).rejects.toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/);
    await expect(started).rejects.toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE/);
    await expect(started).rejects.toThrow(/OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/);
    await expect(started).rejects.not.toThrow(/secret-token/);
  });
});
