import type { EpochSeconds } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import type { Outlet } from './outlet.ts';
import type { PageReaders } from './page-readers.ts';
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
    const page = await orFault(line, async () => readLine(text));
    if (page === undefined) continue;
    if (!(await slots.reach({ line, at: page.at }))) {
      onFault(line, 'its slot is over: lines must be in the order of their slots');
      continue;
    }
    const say = await orFault(line, () => take(line, page));
    if (say === undefined) continue;
    pages += 1;
    await say();
  }
  await slots.end();
  boards.end();
  return { slots: slots.said, incomplete: slots.incomplete, boards: boards.said, feeds: feeds.said, pages, faults };

  /** What is wrong with a line is told, and the others go on. */
  async function orFault<Result>(line: number, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
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
  async function take(line: number, { url, body, at }: SavedPage): Promise<() => Promise<void>> {
    const name = pageNameOf(url, networkUrl);
    switch (name?.page) {
      case 'home':
        await slots.home(() => readers.homepage(body));
        return () => Promise.resolve();
      case 'game': {
        const { titleId } = name;
        const game = await slots.game(titleId, () => readers.gamePage(body));
        return () => boards.list(titleId, game?.boards ?? []);
      }
      case 'board': {
        const { board, number } = name;
        const reading = await readers.boardPage(body);
        return () => boards.take({ line, board, number, at, reading });
      }
      case 'events': {
        const reading = await readers.events(body);
        return () => feeds.events(at, reading);
      }
      case 'players': {
        const reading = await readers.players(body);
        return () => feeds.players(at, reading);
      }
      default:
        throw new Error(`${url.slice(0, 200)} is no page that the collector reads`);
    }
  }
}
