import type { Network, Wanted } from '../../domain/network.ts';
import { PageFailure, PageNotUnderstoodError } from '../../domain/page-failures.ts';
import type { PageMemo } from '../../domain/page-memory.ts';
import type { OnPage } from '../../domain/saved-page.ts';
import type { PageName, Telemetry } from '../../domain/telemetry.ts';
import type { Parse, ReadingOf } from '../parser/parse-task.ts';
import { claimed, type ClaimingParts } from './claimed.ts';
import { conditionsOf, validatorsOf } from './conditional.ts';
import { expectDateIn, htmlOf } from './html-answer.ts';

const PAGE = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 };
/** Increment when a parser's result changes: remembered readings are then discarded. */
const READERS = 2;

export interface NetworkSiteParts extends ClaimingParts {
  telemetry: Telemetry;
  parse: Parse;
  networkUrl: string;
  publicUrl: string;
  /** How far outside of its slot a page's `Date` may lie. */
  leewaySeconds: number;
  onPage?: OnPage;
}

type SitePage = Extract<PageName, 'home' | 'game'>;

interface Page<Name extends SitePage> {
  name: Name;
  url: string;
}

/**
 * Sends conditional requests; 304 means the remembered reading still holds. Only complete pages are remembered, since a
 * cut page has the same validators.
 */
export function createNetworkSite(parts: NetworkSiteParts): Network {
  const { client, pages, telemetry, parse, networkUrl, publicUrl, leewaySeconds, onPage } = parts;
  const reader = `${READERS} ${publicUrl}`;
  const flights = new Map<string, Promise<unknown>>();

  return {
    homepage: (wanted) => had({ name: 'home', url: `${networkUrl}/` }, wanted),
    gamePage: (titleId, wanted) =>
      had({ name: 'game', url: `${networkUrl}/games/${titleId}` }, wanted, ({ matches }) => {
        if (wanted.matches && matches === null) {
          throw new PageNotUnderstoodError('it neither shows its open matches nor says that there are none');
        }
      }),
  };

  async function had<Name extends SitePage>(
    page: Page<Name>,
    wanted: Wanted,
    check: (reading: ReadingOf<Name>) => void = () => undefined,
  ): Promise<ReadingOf<Name>> {
    try {
      const reading = await sharedFlight(page, wanted);
      check(reading);
      return reading;
    } catch (error) {
      if (error instanceof PageFailure) telemetry.pageFailed(page.name, page.url, error);
      throw error;
    }
  }

  function sharedFlight<Name extends SitePage>(page: Page<Name>, wanted: Wanted): Promise<ReadingOf<Name>> {
    const key = `${wanted.slot} ${page.url}`;
    const flight =
      (flights.get(key) as Promise<ReadingOf<Name>> | undefined) ??
      fetchPage(page, wanted).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  function fetchPage<Name extends SitePage>({ name, url }: Page<Name>, wanted: Wanted): Promise<ReadingOf<Name>> {
    return claimed(url, wanted.deadlineMs, parts, async () => {
      const memo = onPage === undefined ? await knownMemo(url) : undefined;
      const answer = await client.get(url, { Accept: 'text/html', ...conditionsOf(memo) }, PAGE);
      expectDateIn([wanted.slot, wanted.slot], answer, leewaySeconds);
      const html = htmlOf(answer, memo !== undefined);
      if (html === undefined && memo !== undefined) {
        telemetry.pageHad(name, 'unchanged');
        return (JSON.parse(memo.reading) as { reading: ReadingOf<Name> }).reading;
      }
      const reading = await parse(name, html ?? '', `${publicUrl}/`);
      onPage?.(url, html?.toString() ?? '');
      const validators = validatorsOf(answer);
      if (validators.etag !== null || validators.lastModified !== null) {
        await pages.remember(url, { ...validators, reading: JSON.stringify({ reader, reading }) });
      }
      telemetry.pageHad(name, 'read');
      return reading;
    });
  }

  async function knownMemo(url: string): Promise<PageMemo | undefined> {
    const memo = await pages.recall(url);
    if (memo === undefined) return undefined;
    return (JSON.parse(memo.reading) as { reader: string }).reader === reader ? memo : undefined;
  }
}
