import type { EpochSeconds } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import type { Outlet } from './outlet.ts';
import type { PlayersReading } from './players-feed.ts';
import type { BoardPageReading, EventsReading, GamePageReading, HomepageReading } from './readings.ts';
import { createSavedBoards } from './saved-boards.ts';
import { createSavedFeeds } from './saved-feeds.ts';
import { pageNameOf, parseSavedPage, type SavedPage } from './saved-page.ts';
import { createSavedSlots } from './saved-slots.ts';
import type { TitleAnnouncer } from './title-announcer.ts';

/** A line of a file; its text is undefined when it is too long to be a page. */
export interface SavedLine {
  number: number;
  text: string | undefined;
}

/** Reads pages and feeds off what came. All throw a PageNotUnderstoodError. */
export interface PageReaders {
  homepage(html: string): HomepageReading;
  gamePage(html: string): GamePageReading;
  boardPage(html: string): BoardPageReading;
  events(json: string): EventsReading;
  players(json: string): PlayersReading;
}

export interface ReplayParts {
  readers: PageReaders;
  networkUrl: string;
  outlet: Outlet;
  announcer: TitleAnnouncer;
  /** Told of a line that couldn't be used, or of a slot or board whose lines can't. */
  onFault: (line: number, reason: string) => void;
  /** Epoch seconds: nothing later is the past. */
  now: EpochSeconds;
}

/** What a replay has done. */
export interface ReplaySummary {
  slots: number;
  /** Slots that lack titles. */
  incomplete: number;
  /** Boards that were said, each time that they were other than before. */
  boards: number;
  /** Feeds of events and of players that were said. */
  feeds: number;
  pages: number;
  faults: number;
}

/**
 * Says saved pages as observations of the past. Lines must be in the order of their slots, and the pages of a board in the
 * order in which they were read; else within a slot any order will do.
 */
export async function replay(lines: AsyncIterable<SavedLine>, parts: ReplayParts): Promise<ReplaySummary> {
  const { readers, networkUrl, outlet, announcer, now } = parts;
  let [pages, faults] = [0, 0];
  const onFault = (line: number, reason: string) => {
    faults += 1;
    parts.onFault(line, reason);
  };
  const slots = createSavedSlots({ outlet, announcer, onFault });
  const boards = createSavedBoards({ outlet, onFault });
  const feeds = createSavedFeeds(outlet);

  for await (const { number: line, text } of lines) {
    if (text?.trim() === '') continue;
    const page = orFault(line, () => readLine(text));
    if (page === undefined) continue;
    if (!(await slots.reach({ line, at: page.at }))) {
      onFault(line, 'its slot is over: lines must be in the order of their slots');
      continue;
    }
    const say = orFault(line, () => take(line, page));
    if (say === undefined) continue;
    pages += 1;
    await say();
  }
  await slots.end();
  boards.end();
  return { slots: slots.said, incomplete: slots.incomplete, boards: boards.said, feeds: feeds.said, pages, faults };

  /** What is wrong with a line is told, and the others go on. */
  function orFault<Result>(line: number, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      onFault(line, messageOf(error));
      return undefined;
    }
  }

  function readLine(text: string | undefined): SavedPage {
    if (text === undefined) throw new Error('it is too long to be a page');
    const page = parseSavedPage(text);
    if (page.at > now) throw new Error('it is from the future');
    return page;
  }

  /** Reads a page; gives what is to be said of it. */
  function take(line: number, { url, body, at }: SavedPage): () => Promise<void> {
    const name = pageNameOf(url, networkUrl);
    switch (name?.page) {
      case 'home':
        slots.home(() => readers.homepage(body));
        return () => Promise.resolve();
      case 'game': {
        const { titleId } = name;
        const game = slots.game(titleId, () => readers.gamePage(body));
        return () => boards.list(titleId, game?.boards ?? []);
      }
      case 'board': {
        const { board, number } = name;
        const reading = readers.boardPage(body);
        return () => boards.take({ line, board, number, at, reading });
      }
      case 'events': {
        const reading = readers.events(body);
        return () => feeds.events(at, reading);
      }
      case 'players': {
        const reading = readers.players(body);
        return () => feeds.players(at, reading);
      }
      default:
        throw new Error(`${url.slice(0, 200)} is no page that the collector reads`);
    }
  }
}
