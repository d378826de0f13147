import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { StartupError } from '@lobbystats/contracts/errors';
import { describeFileError } from '@lobbystats/service-kit';
import { z } from 'zod';
import type { Parse, ParseContext } from '../parsing/parsers.node.ts';
import { METADATA_INTERVAL_SECONDS } from '../../time/slot-times.ts';
import { isSelector } from '../pages/page.parse.ts';
import { sourcesFile, type SourcesFile, type Template } from '../descriptions/source-description.ts';
import type { SourceForms } from '../descriptions/source-forms.ts';

/** @throws StartupError that names the fault, when the file can't be read or describes no sources */
export function readSourcesFile(path: string): SourcesFile {
  try {
    const file = sourcesFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    const [wrong] = selectorsOf(file).filter((selector) => !isSelector(selector));
    if (wrong !== undefined) throw new Error(`"${wrong}" is no CSS selector`);
    return file;
  } catch (error) {
    const reason = error instanceof z.ZodError ? faultsOf(error.issues) : [describeFileError(error)];
    throw new StartupError(`NETWORK_SOURCES_FILE ${path}: ${reason.join('; ')}`);
  }
}

const SELECTORS = new Set(['hidden', 'keep', 'selector', 'next', 'boards']);

/** The CSS selectors of a description; those of a template are none. */
function selectorsOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (name === 'reading') return [];
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) return selectorsOf(member);
    return SELECTORS.has(name) ? [member].flat().filter((each) => typeof each === 'string') : [];
  });
}

/** Of the forms that a source may have, the one with the fewest faults is meant. */
function faultsOf(issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const at = [...path, ...issue.path];
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [`${at.join('.')}: ${issue.message}`];
    const [fewest] = issue.errors.map((each) => faultsOf(each, at)).sort((one, other) => depthOf(other) - depthOf(one));
    return fewest ?? [];
  });
}

/** How far into the description the first fault is: deeper in the form that is meant. */
function depthOf([fault = '']: readonly string[]): number {
  return fault.split(':', 1)[0]?.split('.').length ?? 0;
}

export interface FormParts {
  parse: Parse;
  networkUrl: string;
  /** Base of relative picture URLs. */
  publicUrl: string;
}

/** Addresses that are built in. */
export const URLS = {
  homepage: '/',
  titles: '/games/{titleId}',
  leaderboards: '/games/{titleId}/leaderboards/{leaderboardId}?page={page}',
  events: '/feeds/events.json',
  players: '/feeds/players.json?since={since}',
};
const GAME_PAGE = 'game-page';

/** A source in a file: JSON with `reading`, else HTML or the feed of docs/network.md. */
interface Described {
  url?: string | undefined;
  reading?: Template | undefined;
  intervalSeconds?: number | undefined;
}

/** The pages and feeds of docs/network.md, with the sources that a file describes in their place. */
export function sourceForms(file: SourcesFile, { parse, networkUrl, publicUrl }: FormParts): SourceForms {
  const { events, players, ratings = {}, ...pages } = file;
  const hasBoardsOnTitles = [file.leaderboards, described(file.leaderboards)?.url].includes(GAME_PAGE);
  const baseUrl = `${publicUrl}/`;
  const html: ParseContext = { baseUrl, sources: pages };
  const [home, title, board] = [described(file.homepage), described(file.titles), described(file.leaderboards)];
  const [eventsFeed, playersFeed] = [described(events), described(players)];
  const urlOf = (source: Described, known: string, values: object) =>
    expand(source.url === undefined || source.url === GAME_PAGE ? known : source.url, values, networkUrl);
  const typeOf = ({ reading }: Described) => (reading === undefined ? 'html' : 'json');
  return {
    homepage: {
      type: typeOf(home ?? {}),
      url: () => urlOf(home ?? {}, URLS.homepage, {}),
      read: (body) =>
        home?.reading === undefined
          ? parse('home', body, html)
          : parse('siteCounts', body, { baseUrl, template: home.reading }),
    },
    titles: title && {
      type: typeOf(title),
      url: (values) => urlOf(title, URLS.titles, values),
      read: (body, { titleId }) => {
        if (title.reading !== undefined) return parse('gameData', body, { baseUrl, template: title.reading });
        return parse(hasBoardsOnTitles ? 'gameWithBoards' : 'game', body, { ...html, rule: ratings[titleId] });
      },
    },
    leaderboards: board && {
      type: typeOf(board),
      url: (values) => urlOf(board, URLS.leaderboards, values),
      read: (body, { titleId, page }) => {
        const rule = ratings[titleId];
        if (board.reading === undefined) return parse('board', body, { ...html, page, rule });
        return parse('boardEntries', body, { baseUrl, template: board.reading, page, rule });
      },
    },
    hasBoardsOnTitles,
    events: eventsFeed && {
      type: 'json',
      intervalSeconds: eventsFeed.intervalSeconds ?? METADATA_INTERVAL_SECONDS,
      url: () => urlOf(eventsFeed, URLS.events, {}),
      read: (body) =>
        parse('events', body, { baseUrl, ...(eventsFeed.reading !== undefined && { template: eventsFeed.reading }) }),
    },
    players: playersFeed && {
      type: 'json',
      intervalSeconds: playersFeed.intervalSeconds ?? SLOT_SECONDS,
      url: (values) => urlOf(playersFeed, URLS.players, values),
      read: (body, _values, seenAt) => {
        const { reading } = playersFeed;
        return parse('players', body, {
          seenAt,
          ...(reading !== undefined && { template: playersTemplate(reading, seenAt) }),
        });
      },
    },
    // The number is that of the readers.
    version: `3 ${publicUrl} ${createHash('sha256').update(JSON.stringify(file)).digest('base64url')}`,
  };
}

/** Null for a source that the network does not have. */
function described(source: Described | string | null | undefined): Described | null {
  return source === null ? null : typeof source === 'object' ? source : {};
}

/** A list of the users online often has neither a state nor a time: each is online at the time of the request. */
function playersTemplate(reading: Template, seenAt: number): Template {
  if (typeof reading === 'string' || 'value' in reading) return reading;
  const { players, next = { value: null } } = reading as Readonly<Record<string, Template>>;
  if (players === undefined || typeof players === 'string') return reading;
  const defaults = { isOnline: { value: true }, lastSeenAt: { value: formatInstant(seenAt) } };
  return { players: { ...defaults, ...players } as Template, next };
}

/** Replaces `{name}` by each value; a query parameter without a value is left out. */
function expand(url: string, values: object, networkUrl: string): string {
  const known = new Map(Object.entries(values).filter(([, value]) => value !== null));
  const path = url
    .replace(/[?&][^?&={}]+=\{(\w+)\}/g, (part, name: string) => (known.has(name) ? part : ''))
    .replace(/^([^?&]*)&/, '$1?')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(known.get(name) ?? '')));
  return /^https?:\/\//.test(path) ? path : `${networkUrl}/${path.replace(/^\//, '')}`;
}
