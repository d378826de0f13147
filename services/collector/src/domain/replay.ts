import { formatInstant, slotOf, type EpochSeconds, type ObservedMatch } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import type { Outlet } from './outlet.ts';
import type { GamePageReading, HomepageReading } from './readings.ts';
import { pageNameOf, parseSavedPage, type SavedPage } from './saved-page.ts';
import { composeSlot, missingOf, slotHomeOf } from './slot-observation.ts';
import type { TitleAnnouncer } from './title-announcer.ts';

/** A line of a file; its text is undefined when it is too long to be a page. */
export interface SavedLine {
  number: number;
  text: string | undefined;
}

/** Reads pages off their HTML. Both throw a PageNotUnderstoodError. */
export interface PageReaders {
  homepage(html: string): HomepageReading;
  gamePage(html: string): GamePageReading;
}

export interface ReplayParts {
  readers: PageReaders;
  networkUrl: string;
  outlet: Outlet;
  announcer: TitleAnnouncer;
  /** Told of a line that couldn't be used, or of a slot whose lines can't. */
  onFault: (line: number, reason: string) => void;
  /** Epoch seconds: nothing later is the past. */
  now: EpochSeconds;
}

/** What a replay has done. */
export interface ReplaySummary {
  slots: number;
  /** Slots that lack titles. */
  incomplete: number;
  pages: number;
  faults: number;
}

interface SlotPages {
  slot: EpochSeconds;
  firstLine: number;
  home?: HomepageReading;
  games: Map<string, GamePageReading>;
  at: EpochSeconds;
}

/**
 * Says saved pages as observations of the past, a slot at a time. Lines must be in the order of their slots; within a slot any
 * order will do, and of two readings of one page the first stays. A slot without a homepage that can be read isn't said
 * at all; one without a title's page lacks that title.
 */
export async function replay(lines: AsyncIterable<SavedLine>, parts: ReplayParts): Promise<ReplaySummary> {
  const { readers, networkUrl, outlet, announcer, now } = parts;
  const summary: ReplaySummary = { slots: 0, incomplete: 0, pages: 0, faults: 0 };
  let pages: SlotPages | undefined;

  for await (const { number, text } of lines) {
    if (text?.trim() === '') continue;
    const page = orFault(number, () => readLine(text));
    if (page === undefined) continue;
    const slot = slotOf(page.at);
    if (pages !== undefined && slot < pages.slot) {
      fault(number, 'its slot is over: lines must be in the order of their slots');
      continue;
    }
    if (pages !== undefined && slot > pages.slot) await say(pages);
    if (pages?.slot !== slot) pages = { slot, firstLine: number, games: new Map(), at: page.at };
    const into = pages;
    orFault(number, () => {
      take(page, into);
      summary.pages += 1;
    });
  }
  if (pages !== undefined) await say(pages);
  return summary;

  /** What is wrong with a line is told, and the others go on. */
  function orFault<Result>(line: number, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      fault(line, messageOf(error));
      return undefined;
    }
  }

  function readLine(text: string | undefined): SavedPage {
    if (text === undefined) throw new Error('it is too long to be a page');
    const page = parseSavedPage(text);
    if (page.at > now) throw new Error('it is from the future');
    return page;
  }

  function take({ url, body }: SavedPage, into: SlotPages): void {
    const name = pageNameOf(url, networkUrl);
    if (name === undefined) throw new Error(`${url.slice(0, 200)} is neither the homepage nor a game's`);
    if (name.page === 'home') into.home ??= readers.homepage(body);
    else if (!into.games.has(name.titleId)) into.games.set(name.titleId, readers.gamePage(body));
  }

  async function say({ slot, firstLine, home, games, at }: SlotPages): Promise<void> {
    if (home === undefined) {
      fault(firstLine, `the slot ${formatInstant(slot)} has no homepage that can be read: it is left out`);
      return;
    }
    await announcer.homes(home.titles, at);
    const matches = new Map<string, ObservedMatch[]>();
    for (const [titleId, game] of games) {
      if (game.matches !== null) matches.set(titleId, game.matches);
      await announcer.page(titleId, game.metadata, slot, at);
    }
    const observation = composeSlot(slot, { home: slotHomeOf(home), matches });
    await outlet.slot(observation, { past: true });
    summary.slots += 1;
    if (missingOf(observation) > 0) summary.incomplete += 1;
  }

  function fault(line: number, reason: string): void {
    summary.faults += 1;
    parts.onFault(line, reason);
  }
}
