import {
  boardConfirmed,
  boardObserved,
  eventsObserved,
  iconObserved,
  iconStored,
  parseInstant,
  SLOT_SECONDS,
  slotWithdrawn,
  titleObserved,
  userAllowed,
  userErased,
  usernameKey,
  userStored,
  type Message,
} from '@lobbystats/contracts';
import { handle, handleBatch, type Handler } from '@lobbystats/service-kit/bus';
import type { EventCatalog, EventCounts } from '../events/event-catalog.ts';
import type { BoardCatalog, BoardCounts } from '../ingest/board-catalog.ts';
import type { TrackedPlayers } from '../players/tracked-players.ts';
import { rejectFuture } from '../commits/commits.ts';
import type { IconQueries } from '../titles/icons.queries.ts';
import { removeTitles, type TitleRemovalOptions } from '../withdrawals/remove-titles.ts';
import type { TitleCatalog, TitleCounts } from '../titles/title-catalog.ts';

const TITLE_BATCH = 100;
const BOARD_BATCH = 32;
const CONFIRMED_BATCH = 100;

export function titleHandler(catalog: TitleCatalog, onObserved: (counts: TitleCounts) => void): Handler {
  return handleBatch(titleObserved, TITLE_BATCH, (messages) =>
    backfillFirst(messages, async (some, past) => {
      const observations = some.map(({ seenAt, titles }) => ({ seenAt: parseInstant(seenAt), titles }));
      onObserved(await catalog.observe(observations, past));
    }),
  );
}

interface IconOptions {
  readonly store: IconQueries;
  readonly clock: () => number;
  readonly origin: string;
}

/** Order and repetition don't matter. */
export function iconHandler({ store, clock, origin }: IconOptions, onChanged: () => void): Handler {
  return handle(iconObserved, async ({ data: { titleId, seenAt: seenAtText, image }, past }) => {
    const seenAt = parseInstant(seenAtText);
    rejectFuture('Icons', [seenAt], clock());
    const id = `${iconStored.key}:${origin}:${titleId}:${seenAt}`;
    const fact = { type: iconStored.key, id, occurredAt: seenAt, past, data: { titleId } };
    if (await store.put(titleId, { seenAt, image: Buffer.from(image, 'base64') }, [fact])) onChanged();
  });
}

/** Calls `onObserved` after each commit. */
export function boardHandler(
  catalog: BoardCatalog,
  titles: Pick<TitleCatalog, 'isWithdrawn'>,
  onObserved: (counts: BoardCounts) => void,
): Handler {
  return handleBatch(boardObserved, BOARD_BATCH, (messages) =>
    backfillFirst(messages, async (some, past) => {
      const boards = [];
      for (const board of some.map(withInstants)) {
        if (!(await titles.isWithdrawn(board.titleId, board.seenAt))) boards.push(board);
      }
      if (boards.length > 0) await catalog.observe(boards, past, onObserved);
    }),
  );
}

/** Changes of leaderboards in withdrawn slots go; the leaderboards are right after their next reading. */
export function withdrawalHandler(options: TitleRemovalOptions, onRemoved: () => void): Handler {
  return handle(slotWithdrawn, async ({ data: { slots, titleIds, withdrawnAt } }) => {
    if (titleIds.length > 0) await removeTitles(titleIds, parseInstant(withdrawnAt), options);
    if (slots !== null) {
      const toExclusive = parseInstant(slots.to) + SLOT_SECONDS;
      await options.contents.removeChanges({ fromInclusive: parseInstant(slots.from), toExclusive });
    }
    onRemoved();
  });
}

export function confirmationHandler(catalog: BoardCatalog): Handler {
  return handleBatch(boardConfirmed, CONFIRMED_BATCH, (messages) =>
    catalog.confirm(messages.map(({ data }) => withInstants(data))),
  );
}

export function eventHandler(catalog: EventCatalog, onObserved: (counts: EventCounts) => void): Handler {
  return handle(eventsObserved, async ({ data: { seenAt, ...announced }, past }) => {
    onObserved(await catalog.observe({ seenAt: parseInstant(seenAt), ...announced }, past));
  });
}

export function userHandlers(players: TrackedPlayers, onLearned: () => void): Handler[] {
  return [
    handle(userStored, async ({ data: { revision, users, retired = [] }, occurredAt, past }) => {
      const tracked = users.map(({ username, gamertag }) => ({ userKey: usernameKey(username), gamertag, revision }));
      const about = { occurredAt: parseInstant(occurredAt), past };
      await players.upsert(tracked, about);
      await players.retire(retired.map(usernameKey), revision, about);
      onLearned();
    }),
    handle(userAllowed, async ({ data: { username }, occurredAt, past }) => {
      await players.allow(usernameKey(username), { occurredAt: parseInstant(occurredAt), past });
    }),
    handle(userErased, async ({ data: { username }, occurredAt, past }) => {
      await players.erase(usernameKey(username), { occurredAt: parseInstant(occurredAt), past });
    }),
  ];
}

async function backfillFirst<Data>(
  messages: readonly Message<Data>[],
  observe: (some: readonly Data[], past: boolean) => Promise<unknown>,
): Promise<void> {
  for (const past of [true, false]) {
    const some = messages.filter((message) => message.past === past).map(({ data }) => data);
    if (some.length > 0) await observe(some, past);
  }
}

function withInstants<Data extends { pass: string; seenAt: string }>({ pass, seenAt, ...board }: Data) {
  return { ...board, pass: parseInstant(pass), seenAt: parseInstant(seenAt) };
}
