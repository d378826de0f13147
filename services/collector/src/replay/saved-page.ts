import { formatInstant, instant, parseInstant, type EpochSeconds } from '@lobbystats/contracts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import type { TitleAnnouncer } from '../titles/title-announcer.ts';
import type { BoardKey } from '../leaderboards/board.ts';
import type {
  BoardPageReading,
  EventsReading,
  GamePageReading,
  HomepageReading,
  PlayersReading,
} from '../network/network.ts';

export interface SavedPage {
  url: string;
  at: EpochSeconds;
  body: string;
}

export type OnPage = (url: string, body: string) => void;

export type SavedPageName =
  | { page: 'home' | 'events' | 'players' }
  | { page: 'game'; titleId: string }
  | { page: 'board'; board: BoardKey; number: number };

const BOARD = /\/games\/([0-9a-f]{8})\/leaderboards\/(\d{1,10})\/?$/i;
const GAME = /\/games\/([0-9a-f]{8})\/?$/i;
const FEED = /\/feeds\/(events|players)\.json$/;

export function formatSavedPage({ url, at, body }: SavedPage): string {
  return JSON.stringify({ url, at: formatInstant(at), body });
}

/** @throws Error with the reason why the line is invalid */
export function parseSavedPage(line: string): SavedPage {
  const value = jsonOf(line);
  if (typeof value !== 'object' || value === null) throw new Error('it is not a JSON object');
  const { url, at, body } = value as Record<string, unknown>;
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('"url" must be an absolute URL');
  if (!instant.safeParse(at).success) throw new Error('"at" must be an instant of the form YYYY-MM-DDTHH:MM:SSZ');
  if (typeof body !== 'string') throw new Error('"body" must be a string, the page');
  return { url, at: parseInstant(at as string), body };
}

/**
 * Undefined for a URL that the collector doesn't read. The network may be at `networkUrl` or at the root of its host.
 */
export function pageNameOf(url: string, networkUrl: string): SavedPageName | undefined {
  const { pathname, searchParams } = new URL(url);
  const [, titleId] = GAME.exec(pathname) ?? [];
  if (titleId !== undefined) return { page: 'game', titleId: titleId.toLowerCase() };
  const [, boardTitle, id] = BOARD.exec(pathname) ?? [];
  if (boardTitle !== undefined) {
    const number = searchParams.get('page') ?? '1';
    const board = { titleId: boardTitle.toLowerCase(), leaderboardId: Number(id) };
    return /^[1-9]\d{0,8}$/.test(number) ? { page: 'board', board, number: Number(number) } : undefined;
  }
  const [, feed] = FEED.exec(pathname) ?? [];
  if (feed !== undefined) return { page: feed === 'events' ? 'events' : 'players' };
  const home = new URL(networkUrl).pathname.replace(/\/$/, '');
  return pathname === '/' || pathname === home || pathname === `${home}/` ? { page: 'home' } : undefined;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error('it is not JSON', { cause: error });
  }
}

/** Parses response bodies of pages and feeds. All methods reject with a UnparseablePageError. */
export interface PageReaders {
  homepage(html: string): Promise<HomepageReading>;
  gamePage(html: string, titleId: string): Promise<GamePageReading>;
  boardPage(html: string, board: BoardKey, page: number): Promise<BoardPageReading>;
  events(json: string): Promise<EventsReading>;
  players(json: string, seenAt: EpochSeconds): Promise<PlayersReading>;
}

export interface ReplayParts {
  readers: PageReaders;
  /** Undefined for a URL that is of no source. */
  nameOf: (url: string) => SavedPageName | undefined;
  publisher: ObservationPublisher;
  announcer: TitleAnnouncer;
  onFault: (line: number, reason: string) => void;
  /** Epoch seconds. Nothing later is accepted. */
  now: EpochSeconds;
}
