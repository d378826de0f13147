import {
  BOARD_ENTRIES_MAX,
  boardPass,
  DAY_SECONDS,
  formatDate,
  formatInstant,
  instant,
  networkId,
  observedEntry,
  parseInstant,
  PLAYER_NAME_MAX,
  playObserved,
  SLOT_SECONDS,
  slotInstant,
  SLOTS_PER_DAY,
  titleId,
} from '@lobbystats/contracts';
import { z } from 'zod';
import type { BoardHistoryPart, PastBoard, PlayerHistoryPart } from '../../network/history.ts';
import type { RegisteredDay } from '../../network/observation-publisher.ts';
import { activityOf, type SlotObservation } from '../../network/slot-observation.ts';
import { gameName, parseFeed, validate } from './parse-feed.parse.ts';

interface HistoryPart<Element> {
  elements: Element[];
  next: string | null;
}

const count = z.int().nonnegative();
const match = z.object({ host: z.string().min(1).max(PLAYER_NAME_MAX), players: count, maxPlayers: count.nullish() });
const title = z.object({
  titleId,
  online: count,
  sessions: count.optional(),
  players: count.optional(),
  matches: z.array(match),
});
const slot = z.object({ slot: slotInstant, registered: count.nullish(), online: count, titles: z.array(title) });
const slots = z.object({ slots: z.array(slot), next: instant.nullable() });
const days = z.object({ slots: z.array(z.object({ slot: instant, registered: count })), next: instant.nullable() });

const cursor = z.string().min(1).max(2000).nullable();
const board = z.object({
  pass: boardPass,
  titleId,
  leaderboardId: networkId,
  name: z.string().max(1000),
  board: z
    .object({ isTime: z.boolean(), entries: z.array(z.object(observedEntry.shape)).max(BOARD_ENTRIES_MAX) })
    .nullable(),
});
const boards = z.object({ boards: z.array(board), next: cursor });

const { element: player } = playObserved.data.shape.players;
const span = z.object({ ...player.shape.spans.element.shape, game: gameName.nullable() });
const players = z.object({
  players: z.array(z.object({ ...player.shape, spans: z.array(span).min(1).max(SLOTS_PER_DAY) })),
  next: cursor,
});

/** @throws UnparseablePageError for anything but a part of the feed of slots */
export function readPastSlots(text: string): HistoryPart<SlotObservation> {
  const part = validate(slots, parseFeed(text));
  return { elements: part.slots.map(observationOf), next: part.next };
}

/** @throws UnparseablePageError for anything but a part of the feed of days */
export function readPastDays(text: string): HistoryPart<RegisteredDay> {
  const part = validate(days, parseFeed(text));
  return { elements: part.slots.map(registeredDayOf), next: part.next };
}

/** Normalises texts like the board page parser. @throws UnparseablePageError for anything but a part of the feed */
export function readPastBoards(text: string): BoardHistoryPart {
  const part = validate(boards, parseFeed(text));
  return { boards: part.boards.map(pastBoardOf), next: part.next };
}

/** @throws UnparseablePageError for anything but a part of the feed of players */
export function readPastPlayers(text: string): PlayerHistoryPart {
  return validate(players, parseFeed(text));
}

function observationOf({ registered, ...seen }: z.output<typeof slot>): SlotObservation {
  const titles = seen.titles.map(({ sessions, players: playing, matches, ...key }) => {
    const open = matches.map((each) => ({ ...each, maxPlayers: each.maxPlayers ?? 0 }));
    const active = activityOf(open);
    return { ...key, sessions: sessions ?? active.sessions, players: playing ?? active.players, matches: open };
  });
  return { ...seen, registered: registered ?? null, titles };
}

/** `seenAt` is the last slot of the day, like that of the last live observation of a day. */
function registeredDayOf({ slot: at, registered }: z.output<typeof days>['slots'][number]): RegisteredDay {
  const day = Math.floor(parseInstant(at) / DAY_SECONDS) * DAY_SECONDS;
  return { date: formatDate(day), registered, seenAt: formatInstant(day + DAY_SECONDS - SLOT_SECONDS) };
}

function pastBoardOf({ pass, name, board: content, ...key }: z.output<typeof board>): PastBoard {
  const entries = content?.entries.map((entry) => ({
    ...entry,
    name: oneLine(entry.name),
    rating: oneLine(entry.rating),
  }));
  return {
    ...key,
    pass: parseInstant(pass),
    name: content === null ? '' : oneLine(name).toWellFormed(),
    board: content && { isTime: content.isTime, entries: entries ?? [] },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
