import { eventually, getJson } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { containersOf, gatewayUrl, publishedUrl } from '../compose/stack.ts';
import { cpuLimited, killAndStart, pauseFor, type Fault } from './inject.ts';
import { load, type Outcome } from './load.ts';
import { newSearch } from './requests.ts';
import { waitForNextSlot } from './wait.ts';

/** URL of the simulated network. */
export const networkUrl = String(process.env['TEST_SIMULATOR_URL']);

/** Kills the services in turn, each when the one before is healthy again. */
export function killedInTurn(services: readonly string[]): Fault {
  return async (stack) => {
    for (const service of services) {
      await killAndStart(stack, service);
      const health = () => stack.compose('ps', '--format', '{{.Health}}', service);
      await eventually(async () => expect(await health()).toBe('healthy'), { timeoutMs: 300_000, everyMs: 500 });
    }
  };
}

/** Kills the services one right after the other, then pauses all together, as when their host hangs. */
export function killedAndPaused(services: readonly string[]): Fault {
  return async (stack) => {
    for (const service of services) await killAndStart(stack, service);
    await Promise.all(services.map((service) => pauseFor(stack, service, 30)));
  };
}

const LEADS = `fetch('http://127.0.0.1:8080/readyz').then((r) => r.json()).then(({ leads }) => console.log(leads))`;

/** SIGKILL for the collector that leads, once it has begun to read the next slot. */
export const killedLeader: Fault = async (_stack, ending) => {
  const leader = await eventually(findLeader, { everyMs: 500 });
  await waitForNextSlot();
  await fetch(`${networkUrl}/simulator/requests`, { method: 'DELETE' });
  await eventually(async () => expect((await gamePageRequests()).length).toBeGreaterThan(3));
  ending.defer(async () => {
    await docker(['start', leader]);
  });
  await docker(['kill', '-s', 'KILL', leader]);
};

async function findLeader(): Promise<string> {
  for (const collector of await containersOf('collector')) {
    if ((await docker(['exec', collector, 'node', '-e', LEADS])) === 'true') return collector;
  }
  throw new Error('no collector leads');
}

/** Number of requests for each game page since the last reset. */
export async function gamePageRequests(): Promise<number[]> {
  const { body } = await getJson<{ byPath: Record<string, number> }>(`${networkUrl}/simulator/requests`);
  return Object.entries(body.byPath).flatMap(([path, count]) => (/^\/games\/[^/]+$/.test(path) ? [count] : []));
}

/** Sorts the players of all titles in all slots. */
const HEAVY_FLUX = `from(bucket: "snapshots") |> range(start: -30d)
  |> filter(fn: (r) => r._measurement == "title" and r._field == "players") |> group() |> sort() |> count()`;
/** As many as may query at a time. */
const ANALYSTS = 2;

/** Analysts repeat a heavy query, which may be refused with 429. It has begun with the first results. */
export const heavyQueries: Fault = async ({ compose }, ending) => {
  const names = Array.from({ length: ANALYSTS }, (_, index) => `heavy-${process.pid}-${index}`);
  const url = `${await publishedUrl('analysts', 8087)}/api/v2/query?org=lobbystats`;
  const { signal, abort } = abortable();
  let answered = 0;
  const query = async (token: string): Promise<void> => {
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/vnd.flux' };
    const answer = await fetch(url, { method: 'POST', headers, body: HEAVY_FLUX, signal });
    await answer.text();
    expect([200, 429]).toContain(answer.status);
    if (answer.status === 200) answered += 1;
  };
  const failures: unknown[] = [];
  const tokens = await Promise.all(names.map((name) => compose('run', '--rm', '-T', 'analyst-token', '--name', name)));
  const analysts = tokens.map(async (token) => {
    while (!signal.aborted) await query(token).catch((error: unknown) => signal.aborted || failures.push(error));
  });
  ending.defer(async () => {
    abort();
    await Promise.all(analysts);
    await Promise.all(names.map((name) => compose('run', '--rm', '-T', 'analyst-token', '--revoke', name)));
    expect(failures).toEqual([]);
  });
  await eventually(() => expect(answered).toBeGreaterThan(1), { timeoutMs: 300_000, everyMs: 100 });
};

/** More concurrent searches than catalog-api can answer with a tenth of a processor. */
export function overload(outcomes: Outcome[]): Fault {
  return async (stack, ending) => {
    const { signal, abort } = abortable();
    const onOutcome = (one: Outcome) => outcomes.push(one);
    await cpuLimited('catalog-api', 0.1)(stack, ending);
    const loading = load({ url: gatewayUrl, path: newSearch, connections: 100, signal, onOutcome });
    ending.defer(async () => {
      abort();
      await loading;
    });
  };
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
