import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import { parseSavedPage, type SavedPage, type ReplayParts } from './saved-page.ts';
import { createSavedBoards } from './saved-boards.ts';
import { createSavedSlots } from './saved-slots.ts';
import { eventsDigest } from '../events/events-poll.ts';
import type { EventsReading, PlayersReading } from '../network/network.ts';
import { publishPlayers } from '../players/players-poll.ts';

export interface SavedLine {
  number: number;
  text: string | undefined;
}

export async function replay(lines: AsyncIterable<SavedLine>, parts: ReplayParts) {
  const { readers, nameOf, publisher, announcer, now } = parts;
  let [pages, faults] = [0, 0];
  const onFault = (line: number, reason: string) => {
    faults += 1;
    parts.onFault(line, reason);
  };
  const slots = createSavedSlots({ publisher, announcer, onFault });
  const boards = createSavedBoards({ publisher, onFault });
  const feeds = createSavedFeeds(publisher);

  for await (const { number: line, text } of lines) {
    if (text?.trim() === '') continue;
    const page = await orFault(line, async () => readLine(text));
    if (page === undefined) continue;
    if (!(await slots.advanceTo({ line, at: page.at }))) {
      onFault(line, 'its slot is over: lines must be sorted by slot');
      continue;
    }
    const publish = await orFault(line, () => take(line, page));
    if (publish === undefined) continue;
    pages += 1;
    await publish();
  }
  await slots.flush();
  boards.endPass();
  return {
    slots: slots.publishedCount,
    incomplete: slots.incompleteCount,
    boards: boards.publishedCount,
    feeds: feeds.publishedCount,
    pages,
    faults,
  };

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

  async function take(line: number, { url, body, at }: SavedPage): Promise<() => Promise<void>> {
    const name = nameOf(url);
    switch (name?.page) {
      case 'home':
        await slots.addHomepage(() => readers.homepage(body));
        return () => Promise.resolve();
      case 'game': {
        const { titleId } = name;
        const game = await slots.addGamePage(titleId, () => readers.gamePage(body, titleId));
        return () => boards.addListing(titleId, game?.boards ?? []);
      }
      case 'board': {
        const { board, number } = name;
        if (board.titleId === '') throw new Error('its URL does not name the game of the leaderboard');
        const reading = await readers.boardPage(body, board, number);
        return () => boards.addPage({ line, board, number, at, reading });
      }
      case 'events': {
        const reading = await readers.events(body);
        return () => feeds.addEvents(at, reading);
      }
      case 'players': {
        const reading = await readers.players(body, at);
        return () => feeds.addPlayers(at, reading);
      }
      default:
        throw new Error(`${url.slice(0, 200)} is not a page that the collector reads`);
    }
  }
}

function createSavedFeeds(publisher: ObservationPublisher) {
  let [lastDigest, publishedCount] = ['', 0];
  return {
    async addEvents(seenAt: EpochSeconds, reading: EventsReading): Promise<void> {
      const digest = eventsDigest(reading);
      if (digest === lastDigest) return;
      const { events, unread } = reading;
      await publisher.publishEvents(slotOf(seenAt), { seenAt, events, unread }, digest, { past: true });
      lastDigest = digest;
      publishedCount += 1;
    },
    async addPlayers(seenAt: EpochSeconds, { players }: PlayersReading): Promise<void> {
      await publishPlayers(publisher, { slot: slotOf(seenAt), seenAt, players }, { past: true });
      publishedCount += 1;
    },
    get publishedCount() {
      return publishedCount;
    },
  };
}
