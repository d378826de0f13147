import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import type { StackDrill } from '../drill.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { analystsEndpoint } from './analysts-endpoint.ts';
import { KeepAliveClients } from './keep-alive-clients.ts';
import { openUnreadConnections, type UnreadOptions } from './unread-responses.ts';

const READERS = 300;
const WELL_BEHAVED = 40;
/** Responses to well-behaved clients during the attack: 10 s of them. */
const MIN_RESPONSES = WELL_BEHAVED * 20;
/** A public response of 1.7 MB. */
const LARGE = '/docs/swagger-ui-bundle.js';
/** A query with a result of about 4 MB. */
const LARGE_FLUX = `import "generate"
  generate.from(count: 50000, fn: (n) => n, start: 2026-01-01T00:00:00Z, stop: 2026-02-01T00:00:00Z)`;
/** Prints the PIDs of nginx; they change when a worker is killed. */
const PIDS = 'for p in /proc/[0-9]*; do [[ $(<$p/comm) == nginx ]] && echo ${p#/proc/}; done 2>/dev/null; true';

export const slowReaders: StackDrill = {
  number: 35,
  name: '300 clients that do not read their responses',
  on: 'stack',
  run: async (stage) => {
    await using resources = new AsyncDisposableStack();
    const { url: analystsUrl, token } = await analystsEndpoint(stage, resources);
    const head = `Host: drill\r\nAuthorization: Token ${token}\r\nContent-Type: application/vnd.flux`;
    const asPublic = {
      ...{ network: `${stage.project}_public`, host: 'nginx', port: 8080, connections: READERS },
      request: `GET ${LARGE} HTTP/1.1\r\nHost: drill\r\n\r\n`,
    };
    const asAnalysts = {
      ...{ network: `${stage.project}_inside`, host: 'analysts', port: 8087, connections: READERS },
      request: `POST /api/v2/query?org=lobbystats HTTP/1.1\r\n${head}\r\nContent-Length: ${LARGE_FLUX.length}\r\n\r\n${LARGE_FLUX}`,
    };
    const publicUrl = stage.url + operations.listGames.path;
    const measured: string[] = [];
    for (const addresses of [1, 10]) {
      measured.push(await measureWithUnread(stage, publicUrl, { ...asPublic, addresses }));
      measured.push(await measureWithUnread(stage, `${analystsUrl}/ping`, { ...asAnalysts, addresses }));
    }
    return measured;
  },
};

/** Measures well-behaved clients while other readers stall. @throws Error when they are affected */
async function measureWithUnread({ compose }: StackStage, url: string, options: UnreadOptions): Promise<string> {
  const { host: service, addresses } = options;
  const workers = () => compose('exec', '-T', service, 'bash', '-c', PIDS);
  const before = await workers();
  const clients = new KeepAliveClients(url, WELL_BEHAVED);
  try {
    const unread = await openUnreadConnections(options);
    try {
      const until = clients.responseCount + MIN_RESPONSES;
      const enough = async (): Promise<void> => {
        if (clients.droppedCount > 0) return;
        if (clients.responseCount < until)
          throw new Error(`${until - clients.responseCount} answers less than there should be`);
      };
      await eventually(enough, { timeoutMs: 120_000, everyMs: 200 });
      const [counts, used] = [await unread.counts(), await memoryOf(await compose('ps', '-q', service))];
      const seen = `${service}, from ${addresses === 1 ? 'one address' : `${addresses} addresses`}: ${READERS} unread (${JSON.stringify(counts)}), ${used}; ${clients.droppedCount} of ${WELL_BEHAVED} well-behaved connections dropped, ${clients.responseCount} answers`;
      if (clients.droppedCount > 0) throw new Error(`${seen}: ${clients.failures.join(', ')}`);
      if ((await workers()) !== before) throw new Error(`${seen}: a worker process was killed`);
      return seen;
    } finally {
      await unread.close();
    }
  } finally {
    clients.close();
  }
}

async function memoryOf(container: string): Promise<string> {
  return docker(['stats', '--no-stream', '--format', '{{.MemUsage}}', container]);
}
