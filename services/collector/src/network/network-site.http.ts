import { SingleFlight } from '@lobbystats/service-kit/concurrency';
import type { NetworkSource, PageRequest } from './network.ts';
import { UnparseablePageError } from './page-failures.ts';
import type { CachedPage } from './page-cache.ts';
import { acceptOf, bodyOf, expectForm, reportFailures, withPageLock, type SiteParts } from './site-requests.http.ts';
import { conditionalHeaders, validatorsOf, expectDateIn } from './responses.http.ts';
import type { SourceForm } from './source-forms.ts';

const LIMITS: Readonly<Record<SitePage, { timeoutMs: number; maxBytes: number }>> = {
  // A game's row has about 350 bytes.
  home: { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  game: { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 },
};
/** Increment when a parser's result changes, to discard cached readings. */
const PARSER_VERSION = 4;

type SitePage = 'home' | 'game';

interface Page<Reading> {
  name: SitePage;
  url: string;
  type: 'html' | 'json';
  read: (body: string | Buffer) => Promise<Reading>;
}

/**
 * Sends conditional requests and reuses the cached reading on 304. Caches complete pages only, since a truncated page has
 * the same validators.
 */
export function createNetworkSite(
  parts: Omit<SiteParts, 'now' | 'toleranceSeconds'>,
): Pick<NetworkSource, 'homepage' | 'gamePage'> {
  const { pages, telemetry, forms, leewaySeconds, onPage } = parts;
  const reader = `${PARSER_VERSION} ${forms.version}`;
  const flights = new SingleFlight<string>();

  return {
    homepage: (request) => readPage(pageOf('home', forms.homepage, {}, request), request),
    gamePage: async (titleId, request) => {
      const page = pageOf('game', expectForm(forms.titles), { titleId }, request);
      return readPage(page, request, ({ matches }) => {
        if (request.matches && matches === null) {
          throw new UnparseablePageError('it neither shows its open matches nor says that there are none');
        }
      });
    },
  };

  function readPage<Reading>(
    page: Page<Reading>,
    request: PageRequest,
    check: (reading: Reading) => void = () => undefined,
  ): Promise<Reading> {
    return reportFailures(page.name, page.url, parts, async () => {
      const reading = (await flights.run(`${request.slot} ${page.url}`, () => fetchPage(page, request))) as Reading;
      check(reading);
      return reading;
    });
  }

  function fetchPage<Reading>({ name, url, type, read }: Page<Reading>, request: PageRequest): Promise<Reading> {
    return withPageLock(url, request.deadlineMs, parts, async (turn) => {
      const memo = onPage === undefined ? await knownMemo(url) : undefined;
      const answer = await turn.get(url, { ...acceptOf(type), ...conditionalHeaders(memo) }, LIMITS[name]);
      expectDateIn([request.slot, request.slot], answer, leewaySeconds);
      const body = bodyOf(type, answer, memo !== undefined);
      if (body === undefined && memo !== undefined) {
        telemetry.pageRead(name, 'unchanged');
        return (JSON.parse(memo.reading) as { reading: Reading }).reading;
      }
      const reading = await read(body ?? '');
      onPage?.(url, body?.toString() ?? '');
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

function pageOf<Values, Reading>(
  name: SitePage,
  form: SourceForm<Values, Reading>,
  values: Values,
  { slot }: PageRequest,
): Page<Reading> {
  return { name, type: form.type, url: form.url(values), read: (body) => form.read(body, values, slot) };
}
