import { serveRaw } from '@lobbystats/test-kit';
import { ManagementApi } from '../../src/bus/rabbitmq/management-api.ts';

/** A management API that leaves the first calls without a response, and then answers with a status. */
async function startServer(unanswered: number, status: number) {
  const methods: string[] = [];
  const url = await serveRaw((req, res) => {
    methods.push(req.method ?? '');
    if (methods.length <= unanswered) req.socket.destroy();
    else res.writeHead(status, { 'Content-Type': 'application/json' }).end('{"rabbitmq_version":"4.0"}');
  });
  return { api: new ManagementApi({ url, user: 'admin', password: 'admin' }), methods };
}

describe("RabbitMQ's management API", () => {
  it('is called a second time when the first call gets no response', async () => {
    const { api, methods } = await startServer(1, 200);
    expect(await api.get('overview')).toEqual({ rabbitmq_version: '4.0' });
    expect(methods).toEqual(['GET', 'GET']);
  });

  it('has carried out a removal without a response when the repeated one finds nothing', async () => {
    const { api, methods } = await startServer(1, 404);
    await api.delete('vhosts', 'a');
    expect(methods).toEqual(['DELETE', 'DELETE']);
  });

  it('is unavailable when two calls get no response', async () => {
    const { api, methods } = await startServer(2, 200);
    await expect(api.get('overview')).rejects.toMatchObject({ code: 'unavailable' });
    expect(methods).toEqual(['GET', 'GET']);
  });

  it('takes definitions again when it could not declare their queues in time', async () => {
    const methods: string[] = [];
    const url = await serveRaw((req, res) => {
      methods.push(req.resume().method ?? '');
      if (methods.length > 1) res.writeHead(204).end();
      else res.writeHead(400).end('{"error":"bad_request","reason":"{resources_missing,[{not_found,{resource,…}}]}"}');
    });
    await new ManagementApi({ url, user: 'admin', password: 'admin' }).post({ queues: [] }, 'definitions', 'a');
    expect(methods).toEqual(['POST', 'POST']);
  });

  it('is not called again when it refuses the password', async () => {
    const { api, methods } = await startServer(0, 401);
    await expect(api.get('overview')).rejects.toThrow('check RABBITMQ_ADMIN_PASSWORD');
    expect(methods).toEqual(['GET']);
  });
});
