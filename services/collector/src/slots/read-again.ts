import { DAY_SECONDS, type EpochSeconds, type ObservedMatch } from '@lobbystats/contracts';
import { eventsDigest } from '../polls/events-poll.ts';
import { boardDigest } from '../network/board.ts';
import { createBoardPublishing, type BoardPublishingParts } from '../boards/board-publishing.ts';
import { passOf } from '../boards/board-schedule.ts';
import { readBoard } from '../boards/read-board.ts';
import {
  lacksMatches,
  type BoardPageReading,
  type EventsReading,
  type GamePageReading,
  type HomepageReading,
  type PlayersReading,
} from '../network/network.ts';
import { PageFailure } from '../network/page-failures.ts';
import { formOf, type SourceForms } from '../sources/descriptions/source-forms.ts';
import { publishPlayers } from '../polls/players-poll.ts';
import { publishHosts } from './freeze-and-publish-slot.ts';
import { boundMatches, completeSlot, composeSlot, missingOf, slotHomeOf } from '../network/slot-observation.ts';
import type { SlotObservation } from '../network/slot-observation.ts';
import type { SlotParts } from './slot-parts.ts';
import { withinTitles, type TitleBound } from '../titles/title-bound.ts';
import { slotPage, type KeptPage, type KeptPages } from './kept-pages.ts';

export interface ReadAgainParts
  extends BoardPublishingParts, Pick<SlotParts, 'slots' | 'admit' | 'keeper' | 'sources' | 'stopping'> {
  kept: KeptPages;
  forms: SourceForms;
  titleBound: TitleBound;
}

const PAST = { past: true };

/**
 * Reads kept pages again, oldest slots first, once the descriptions of sources or the release are others than those that
 * refused them, and publishes what they have as the past. Idempotent: what was published is forgotten afterwards.
 */
export function createReadAgain(parts: ReadAgainParts): (slot: EpochSeconds) => Promise<void> {
  const { kept, keeper, forms, slots, boards, publisher, sources, telemetry, time, stopping } = parts;
  const publishBoard = createBoardPublishing(parts);
  let readBy: string | undefined;
  let flight: Promise<void> | undefined;

  return (slot) => {
    flight ??= work(slot).finally(() => (flight = undefined));
    return flight;
  };

  async function work(present: EpochSeconds): Promise<void> {
    await keeper.trim(present - DAY_SECONDS);
    const description = forms.version;
    while (readBy !== description) {
      const pages = await kept.due(description, present);
      const [first] = pages;
      if (first === undefined) readBy = description;
      else {
        await readSlot(first.slot, pages);
        // What was not read, or by another description, is left to the next time.
        if (stopping.aborted || forms.version !== description) return;
        await kept.deleteOthers(first.slot, description);
      }
    }
  }

  async function readSlot(slot: EpochSeconds, pages: readonly KeptPage[]): Promise<void> {
    const matches = new Map<string, ObservedMatch[]>();
    let home: HomepageReading | undefined;
    for (const page of pages) {
      const reading = page.source === 'slot' ? undefined : await readingOf(page);
      if (reading === undefined || stopping.aborted) continue;
      const values = page.values as { titleId: string; leaderboardId: number };
      if (page.source === 'homepage') home = reading as HomepageReading;
      else if (page.source === 'titles') matches.set(values.titleId, (reading as GamePageReading).matches ?? []);
      else if (page.source === 'leaderboards') await publishBoardPage(slot, values, reading as BoardPageReading);
      else if (page.source === 'events') await publishEvents(slot, reading as EventsReading);
      else await publishSeen(slot, reading as PlayersReading);
    }
    await publishSlot(slot, home, matches);
  }

  /** Undefined when the page is refused as before. */
  async function readingOf(page: KeptPage): Promise<unknown> {
    const text = await keeper.text(page);
    try {
      const { source, values, slot } = page;
      if (source === 'slot' || forms[source] === null) return undefined;
      const reading = await formOf(forms, source).read(text, values, slot);
      if (source !== 'titles' || !lacksMatches(reading)) return reading;
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
    }
    if (!stopping.aborted) await keeper.keep(page, text, forms.version);
    return undefined;
  }

  /** A slot that was missed, or the published one with the titles that it lacked. */
  async function publishSlot(
    slot: EpochSeconds,
    home: HomepageReading | undefined,
    matches: ReadonlyMap<string, ObservedMatch[]>,
  ): Promise<void> {
    const former = await formerOf(slot, home);
    if (former === undefined) return;
    const observation = boundMatches(completeSlot(former.observation, matches));
    const completed = missingOf(former.observation) - missingOf(observation);
    if (former.isNew || completed > 0) {
      const replaces = Math.floor(time.now() / 1000);
      await publisher.publishSlot(observation, { past: true, ...(!former.isNew && { replaces }) });
      await publishHosts({ sources, publisher }, observation, PAST);
      telemetry.slotCompleted(slot, missingOf(observation));
    }
    if (!former.isNew && missingOf(observation) > 0)
      await keeper.keep(slotPage(slot), JSON.stringify(observation), forms.version);
  }

  async function formerOf(
    slot: EpochSeconds,
    home: HomepageReading | undefined,
  ): Promise<{ observation: SlotObservation; isNew: boolean } | undefined> {
    const text = await keeper.text(slotPage(slot));
    if (text !== '') return { observation: JSON.parse(text) as SlotObservation, isNew: false };
    if (home === undefined || (await slots.state(slot)) !== 'missed') return undefined;
    const admitted = slotHomeOf(await parts.admit(slot, home));
    return { observation: composeSlot(slot, { home: admitted, matches: new Map() }), isNew: true };
  }

  /** A board of several pages is read in the next pass: pages of one refused reading are not all there. */
  async function publishBoardPage(
    slot: EpochSeconds,
    { titleId, leaderboardId }: { titleId: string; leaderboardId: number },
    page: BoardPageReading,
  ): Promise<void> {
    const board = { titleId, leaderboardId };
    const state = await boards.get(board);
    if (state === undefined || page.hasNext !== false) return;
    const validators = { etag: null, lastModified: null };
    const site = { boardPage: () => Promise.resolve({ kind: 'read' as const, page, validators }) };
    try {
      const reading = await readBoard(site, board, Infinity, []);
      if (reading.kind !== 'read' || boardDigest(state.name, reading.content) === state.published?.digest) return;
      const job = { ...board, pass: passOf(slot), name: state.name };
      await publishBoard(job, reading.content, { validators: [], seenAt: slot, past: true });
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      telemetry.boardFailed(board, error);
    }
  }

  async function publishEvents(slot: EpochSeconds, reading: EventsReading): Promise<void> {
    const { events, unread } = reading;
    await publisher.publishEvents(slot, { seenAt: slot, events, unread }, eventsDigest(reading), PAST);
  }

  async function publishSeen(slot: EpochSeconds, { players }: PlayersReading): Promise<void> {
    const isAdmitted = await parts.titleBound();
    const bounded = players.map((player) => withinTitles(player, isAdmitted));
    await publishPlayers(publisher, { slot, seenAt: slot, players: bounded }, PAST);
  }
}
