import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManagementApi } from '../../src/bus/rabbitmq/management-api.ts';

/** A management API that leaves the first calls without a response. */
async function startServer(unanswered: number) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    if (calls > unanswered) response.setHeader('Content-Type', 'application/json').end('{"rabbitmq_version":"4.0"}');
    else request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api = new ManagementApi({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: 'admin',
    password: 'admin',
  });
  return { api, calls: () => calls, [Symbol.dispose]: () => void server.close() };
}

describe("RabbitMQ's management API", () => {
  it('is called a second time when the first call gets no response', async () => {
    using server = await startServer(1);
    expect(await server.api.get('overview')).toEqual({ rabbitmq_version: '4.0' });
    expect(server.calls()).toBe(2);
  });

  it('is unavailable when two calls get no response', async () => {
    using server = await startServer(2);
    await expect(server.api.get('overview')).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.calls()).toBe(2);
  });
});
