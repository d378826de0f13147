import { SingleFlight } from '@lobbystats/concurrency';
import type { NetworkSource, PageRequest } from './network.ts';
import { UnparseablePageError } from './page-failures.ts';
import type { CachedPage } from './page-cache.ts';
import type { ReadingOf } from '../parsing/parsers.process.ts';
import { reportFailures, withPageLock, type SiteParts } from './site-requests.http.ts';
import { conditionalHeaders, validatorsOf, expectDateIn, htmlBodyOf } from './responses.http.ts';

const LIMITS: Readonly<Record<SitePage, { timeoutMs: number; maxBytes: number }>> = {
  // A game's row has about 350 bytes.
  home: { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  game: { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 },
};
/** Increment when a parser's result changes, to discard cached readings. */
const PARSER_VERSION = 3;

type SitePage = 'home' | 'game';

interface Page<Name extends SitePage> {
  name: Name;
  url: string;
}

/**
 * Sends conditional requests and reuses the cached reading on 304. Caches complete pages only, since a truncated page has
 * the same validators.
 */
export function createNetworkSite(
  parts: Omit<SiteParts, 'now' | 'toleranceSeconds'>,
): Pick<NetworkSource, 'homepage' | 'gamePage'> {
  const { pages, telemetry, parse, networkUrl, publicUrl, leewaySeconds, onPage } = parts;
  const reader = `${PARSER_VERSION} ${publicUrl}`;
  const flights = new SingleFlight<string>();

  return {
    homepage: (request) => readPage({ name: 'home', url: `${networkUrl}/` }, request),
    gamePage: (titleId, request) =>
      readPage({ name: 'game', url: `${networkUrl}/games/${titleId}` }, request, ({ matches }) => {
        if (request.matches && matches === null) {
          throw new UnparseablePageError('it neither shows its open matches nor says that there are none');
        }
      }),
  };

  function readPage<Name extends SitePage>(
    page: Page<Name>,
    request: PageRequest,
    check: (reading: ReadingOf<Name>) => void = () => undefined,
  ): Promise<ReadingOf<Name>> {
    return reportFailures(page.name, page.url, parts, async () => {
      const reading = await flights.run(`${request.slot} ${page.url}`, () => fetchPage(page, request));
      check(reading);
      return reading;
    });
  }

  function fetchPage<Name extends SitePage>({ name, url }: Page<Name>, request: PageRequest): Promise<ReadingOf<Name>> {
    return withPageLock(url, request.deadlineMs, parts, async (turn) => {
      const memo = onPage === undefined ? await knownMemo(url) : undefined;
      const answer = await turn.get(url, { Accept: 'text/html', ...conditionalHeaders(memo) }, LIMITS[name]);
      expectDateIn([request.slot, request.slot], answer, leewaySeconds);
      const html = htmlBodyOf(answer, memo !== undefined);
      if (html === undefined && memo !== undefined) {
        telemetry.pageRead(name, 'unchanged');
        return (JSON.parse(memo.reading) as { reading: ReadingOf<Name> }).reading;
      }
      const reading = await parse(name, html ?? '', `${publicUrl}/`);
      onPage?.(url, html ?? '');
      const validators = validatorsOf(answer);
      if (validators.etag !== null || validators.lastModified !== null) {
        await pages.put(url, { ...validators, reading: JSON.stringify({ reader, reading }) });
      }
      telemetry.pageRead(name, 'read');
      return reading;
    });
  }

  async function knownMemo(url: string): Promise<CachedPage | undefined> {
    const memo = await pages.get(url);
    if (memo === undefined) return undefined;
    return (JSON.parse(memo.reading) as { reader: string }).reader === reader ? memo : undefined;
  }
}
