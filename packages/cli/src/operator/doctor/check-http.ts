import type { Readable } from 'node:stream';
import { DECLARED_ABSENT, operations, sourceContents } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import { createHttpClient } from '@lobbystats/service-kit';
import { clockFinding, findingsOf, type ClockReading, type Finding } from './finding.ts';

const client = createHttpClient({ timeoutMs: 5000, maxBytes: -1 });

export async function probeHttp(
  url: string,
  clock: () => number,
): Promise<{ status: number; reading: ClockReading | undefined }> {
  const sentMs = clock();
  const { status, headers, data } = await client.get<Readable>(url, { responseType: 'stream' });
  data.destroy();
  const receivedMs = clock();
  const dateMs = Date.parse(String(headers['date']));
  if (Number.isNaN(dateMs)) return { status, reading: undefined };
  // Middle of the second named by `Date`.
  const aheadMs = dateMs + 500 - (sentMs + receivedMs) / 2;
  return { status, reading: { aheadMs, toleranceMs: 500 + (receivedMs - sentMs) / 2 } };
}

/** The sources that the network lacks or whose pages are refused, as the running site knows them; empty without a site. */
export async function checkSources(siteUrl: string): Promise<Finding[]> {
  const part = findingsOf('network');
  const { getStatus } = operations;
  const response = await client.get<string>(siteUrl + getStatus.path, { responseType: 'text' }).catch(() => undefined);
  const status = getStatus.response.safeParse(jsonOf(response?.data ?? ''));
  if (!status.success) return [];
  const { missingSources, refusedSources } = status.data;
  if (missingSources.length + refusedSources.length === 0) return [part.ok('no source is known to be missing')];
  const missing = missingSources.map(({ source, since, reason }) => {
    const text = `the network has no ${sourceContents[source]}`;
    if (reason === DECLARED_ABSENT) return part.ok(`${text}, as NETWORK_SOURCES_FILE says`);
    const todo = 'see "A network of another shape" in docs/network.md, also to declare that it has none';
    return part.warning(`${text} since ${since} UTC: ${reason}`, todo);
  });
  const refused = refusedSources.map(({ source, since, reason }) =>
    part.fault(
      `pages of the source "${source}" are refused since ${since} UTC: ${reason}`,
      'describe them in NETWORK_SOURCES_FILE, which is read again without a restart',
    ),
  );
  return [...refused, ...missing];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function checkSite(
  url: string,
  { clock, running }: { clock: () => number; running: boolean },
): Promise<Finding> {
  const part = findingsOf('site');
  try {
    const { status } = await probeHttp(url, clock);
    return status < 500
      ? part.ok(`${url} answers`)
      : part.fault(`${url} answers ${status}`, 'see the log of the gateway');
  } catch (error) {
    const text = `${url} does not answer: ${messageOf(error)}`;
    return running
      ? part.fault(text, 'check that the gateway runs and listens there')
      : part.warning(text, 'start the system');
  }
}

export async function checkNetwork(url: string | undefined, clock: () => number): Promise<Finding[]> {
  if (url === undefined) return [findingsOf('network').ok('simulated: all data is invented')];
  const part = findingsOf('network');
  try {
    const { status, reading } = await probeHttp(url, clock);
    const finding =
      status < 500
        ? part.ok(`${url} answers`)
        : part.warning(`${url} answers ${status}`, 'slots are missed until it recovers');
    return [finding, ...(reading === undefined ? [] : [clockFinding('network', reading)])];
  } catch (error) {
    return [part.warning(`${url} does not answer: ${messageOf(error)}`, 'check NETWORK_URL and the connection')];
  }
}
