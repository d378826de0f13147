import { readFileSync } from 'node:fs';
import { networkSources } from '@lobbystats/contracts';
import {
  createLogger,
  describeFileError,
  OperatorError,
  UsageError,
  type Env,
  type Terminal,
} from '@lobbystats/service-kit';
import { readCollectorConfig } from './config.ts';
import { leadOnce } from './context.ts';
import { formatDescription, mergeDescriptions } from './describe/proposal.ts';
import { guessSource, proposePage, showTables } from './describe/propose-page.parse.ts';
import { showMembers } from './describe/show-members.ts';
import { parseFeed } from './sources/feeds/parse-feed.parse.ts';
import { UnparseablePageError } from './network/page-failures.ts';
import type { SourceName } from './sources/descriptions/source-forms.ts';
import { htmlBodyOf, jsonBodyOf } from './sources/client/responses.http.ts';
import { sourcesFile, type SourcesFile } from './sources/descriptions/source-description.ts';
import { readSourcesFile, sourceForms, URLS } from './sources/client/sources.node.ts';
import { parseText, type TextTask } from './sources/parsing/parsers.node.ts';
import { settingsOf } from './run-try.ts';
import { collectorService } from './service.ts';
import { describeReading } from './try/describe-reading.ts';
import { parseSavedPage, type SavedPage } from './try/saved-page.ts';

const SOURCES: readonly SourceName[] = ['homepage', ...networkSources];
type Page = Partial<SavedPage> & { body: string };
const LIMITS = { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 };

/**
 * Shows what stands on pages and proposes how NETWORK_SOURCES_FILE may describe them. Stores and publishes nothing.
 *
 * @param source the URL of a page, a file with one, or a file of saved pages
 * @returns the exit code: 0 each page is read with what is proposed, 1 it failed, 2 a page is refused
 */
export async function runDescribe(
  { env, terminal }: { env: Env; terminal: Terminal },
  source: string,
  { as: named, sources = env['NETWORK_SOURCES_FILE'] }: { as?: string; sources?: string },
): Promise<number> {
  const print = (...lines: readonly string[]) => terminal.out(lines.map((line) => `${line}\n`).join(''));
  try {
    const as = SOURCES.find((name) => name === named);
    if (named !== undefined && as === undefined) throw new UsageError(`--as is one of ${SOURCES.join(', ')}`);
    const known = sources === undefined || sources === '' ? {} : readSourcesFile(sources);
    let [proposed, isRefused]: [SourcesFile, boolean] = [{}, false];
    for (const page of /^https?:/i.test(source) ? [await fetchPage(source, env)] : pagesIn(source)) {
      const base = mergeDescriptions(known, proposed);
      const { of, shown, file, decisions } = propose(page, as ?? page.source, base);
      const reading = of === undefined ? [] : [await tryReading(of, page.body, mergeDescriptions(base, file))];
      print(`${page.url ?? source}, as "${of ?? 'JSON'}" (--as names another source)`, ...shown, ...reading);
      print(...decisions.map((each) => `Decide ${each}.`), '');
      isRefused ||= reading[0]?.startsWith(REFUSED) === true;
      proposed = mergeDescriptions(proposed, file);
    }
    const isKnown = Object.keys(proposed).length === 0;
    print(
      isKnown
        ? 'There is nothing to add to the description.'
        : `${PROPOSED}\n${formatDescription(sourcesFile.parse(proposed))}`,
    );
    return isRefused ? 2 : 0;
  } catch (error) {
    terminal.error(`network describe: ${describeFileError(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

const REFUSED = 'Refused: ';
const PROPOSED = 'Proposed for the file of NETWORK_SOURCES_FILE; npx lobbystats network try --sources FILE proves it:';

/** A page, or the saved pages of a file. */
function pagesIn(path: string): Page[] {
  const text = readFileSync(path, 'utf8');
  try {
    return text.trim().split('\n').map(parseSavedPage);
  } catch {
    return [{ body: text }];
  }
}

/** One request within the limits of the collector: its rate, contact, robots.txt and bounds. */
async function fetchPage(url: string, env: Env): Promise<Page> {
  const config = readCollectorConfig(settingsOf(env, new URL(url).origin, undefined));
  const logger = createLogger({ service: 'collector', level: 'error', format: 'pretty', write: () => undefined });
  const response = await collectorService.withParts(config, { logger }, (context) =>
    leadOnce(context, ({ client, time }) =>
      client.get(url, { Accept: 'text/html, application/json' }, LIMITS, {
        deadlineMs: time.now() + 4 * LIMITS.timeoutMs,
      }),
    ),
  );
  if (response === undefined) throw new OperatorError('another collector runs');
  const isHtml = /html/i.test(response.header('content-type') ?? '');
  return { url, body: (isHtml ? htmlBodyOf(response, false) : jsonBodyOf(response, false)?.toString()) ?? '' };
}

/** What is shown of a page, and proposed to read it; JSON is described by hand. */
function propose({ url, body }: Page, as: SourceName | undefined, base: SourcesFile) {
  if (/^\s*[[{]/.test(body)) return { of: as, file: {}, decisions: [], shown: showMembers(parseFeed(body)) };
  const of = as ?? guessSource(body, base);
  if (of === 'events' || of === 'players') throw new OperatorError(`${of} are JSON, and this is a page`);
  const { file, decisions } = proposePage(of, body, base);
  const address = url === undefined ? URLS[of] : addressOf(url, of);
  const isKnown = address.split('?')[0] === URLS[of].split('?')[0];
  const placed = isKnown ? file : mergeDescriptions({ [of]: { url: address, page: {} } }, file);
  return { of, file: placed, shown: showTables(body, base), decisions };
}

/** The address of all pages of a source, by that of one. */
function addressOf(url: string, source: keyof typeof URLS): string {
  const { pathname, search } = new URL(url);
  const address = (pathname + search).replace(/\b[0-9a-f]{8}\b/i, '{titleId}');
  if (source !== 'leaderboards') return address;
  const ofPages = address.replace(/([?&](?:p|pg|page)=)\d+/, '$1{page}');
  return ofPages.replace(/([/=])\d{1,10}(?=$|[/?&])/, '$1{leaderboardId}');
}

/** What a collector would read with a description, or why it would refuse the page. */
async function tryReading(source: SourceName, body: string, file: SourcesFile): Promise<string> {
  const forms = sourceForms(file, {
    parse: async (parser, text, context) => parseText({ ...context, parser } as TextTask, String(text)) as never,
    networkUrl: 'https://network.example',
    publicUrl: 'https://network.example',
  });
  try {
    const values = { titleId: '00000000', leaderboardId: 1, page: 1, since: null };
    const reading = await forms[source]?.read(body, values, Math.floor(Date.now() / 1000));
    return `Read: ${describeReading[source](reading as never)}`;
  } catch (error) {
    if (!(error instanceof UnparseablePageError)) throw error;
    return `${REFUSED}${error.reason}`;
  }
}
