import { SingleFlight } from '@lobbystats/service-kit/concurrency';
import {
  lacksMatches,
  type NetworkSource,
  type GamePageReading,
  type HomepageReading,
  type PageRequest,
} from '../../network/network.ts';
import { PageFailure, UnparseablePageError } from '../../network/page-failures.ts';
import { quote } from '../pages/refusal.ts';
import type { PageValidators } from '../../network/page-cache.ts';
import { urlOf, type SourceRequest } from './page-reader.http.ts';
import { reportFailures, type SiteParts } from './site-requests.http.ts';

/** Increment when a parser's result changes, to discard cached readings. */
const PARSER_VERSION = 5;

type SitePage = Pick<SourceRequest, 'values' | 'awaitsMatches'> & { source: 'homepage' | 'titles' };

const NAMES = { homepage: 'home', titles: 'game' } as const;

/**
 * Sends conditional requests and reuses the cached reading on 304. Caches complete pages only, since a truncated page has
 * the same validators.
 */
export function createNetworkSite(
  parts: Omit<SiteParts, 'toleranceSeconds'>,
): Pick<NetworkSource, 'homepage' | 'gamePage'> {
  const { client, pages, telemetry, forms, now, leewaySeconds, isConditional } = parts;
  const readerNow = () => `${PARSER_VERSION} ${forms.version}`;
  const flights = new SingleFlight<string>();

  return {
    homepage: (request) => readPage<HomepageReading>({ source: 'homepage', values: {} }, request),
    gamePage: async (titleId, request) =>
      readPage<GamePageReading>(
        { source: 'titles', values: { titleId }, awaitsMatches: request.matches },
        request,
        (reading) => {
          if (request.matches && lacksMatches(reading)) {
            const headings = quote((reading.tables ?? []).map((each) => each.join(' | ')));
            throw new UnparseablePageError(
              `it neither shows its open matches nor says that there are none, and the headings of its tables are ${headings}`,
            );
          }
        },
      ),
  };

  async function readPage<Reading>(
    page: SitePage,
    request: PageRequest,
    check: (reading: Reading) => void = () => undefined,
  ): Promise<Reading> {
    const url = urlOf(forms, page);
    return reportFailures(NAMES[page.source], url, parts, async () => {
      const reading = (await flights.run(`${request.slot} ${url}`, () => ask(page, url, request))) as Reading;
      check(reading);
      return reading;
    });
  }

  async function ask(page: SitePage, url: string, { slot, deadlineMs }: PageRequest): Promise<unknown> {
    const reader = readerNow();
    const row = isConditional ? await cachedReading(url, reader) : undefined;
    const made = { first: slot, last: slot, leewaySeconds };
    const response = await client.ask({ ...page, seenAt: slot, validators: row?.validators, made }, { deadlineMs });
    if (response.kind !== 'read') {
      if (row === undefined) throw new PageFailure('unavailable', 'The network answered 304 without being asked');
      telemetry.pageRead(NAMES[page.source], 'unchanged');
      return row.reading;
    }
    const { reading, validators: present } = response;
    if (present.etag !== null || present.lastModified !== null) {
      await pages.put(url, { ...present, reading: JSON.stringify({ reader, reading }) }, now());
    }
    telemetry.pageRead(NAMES[page.source], 'read');
    return reading;
  }

  async function cachedReading(
    url: string,
    reader: string,
  ): Promise<{ validators: PageValidators; reading: unknown } | undefined> {
    const row = await pages.get(url);
    if (row === undefined) return undefined;
    const { etag, lastModified } = row;
    const cached = JSON.parse(row.reading) as { reader: string; reading: unknown };
    return cached.reader === reader ? { validators: { etag, lastModified }, reading: cached.reading } : undefined;
  }
}
