import {
  DAY_SECONDS,
  formatDate,
  formatInstant,
  instant,
  parseInstant,
  SLOT_SECONDS,
  slotInstant,
  titleId,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { z } from 'zod';
import type { History } from '../../domain/history.ts';
import type { RegisteredDay } from '../../domain/outlet.ts';
import { activityOf, type SlotObservation } from '../../domain/slot-observation.ts';
import type { Time } from '../../domain/time.ts';
import { jsonOf, notUnderstood, understood } from './feed-answer.ts';
import type { PoliteClient } from './polite-client.ts';

/** Limits of one answer; the feed says where the next begins. */
const ANSWER = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };

const count = z.int().nonnegative();
const feedMatch = z.object({ host: z.string().min(1).max(200), players: count, maxPlayers: count.nullish() });
const feedTitle = z.object({
  titleId,
  online: count,
  sessions: count.optional(),
  players: count.optional(),
  matches: z.array(feedMatch),
});
const feedSlot = z.object({
  slot: slotInstant,
  registered: count.nullish(),
  online: count,
  titles: z.array(feedTitle),
});
const feedDay = z.object({ slot: instant, registered: count });
/** The elements are looked at one by one, as they are wanted: an answer may hold a day. */
const feedAnswer = z.object({ slots: z.array(z.unknown()), next: instant.nullable() });

export interface HistoryFeedParts {
  client: PoliteClient;
  time: Time;
  /** The feed's address, to which `from`, `to` and `step` are added. */
  url: string;
}

/** The past as the simulated network tells it: a JSON feed of slots, or of days. */
export function createHistoryFeed({ client, time, url }: HistoryFeedParts): History {
  return {
    async *slots(from, to) {
      for await (const element of elements(from, to, SLOT_SECONDS)) {
        const slot = understood(feedSlot, element);
        expectInside(slot.slot, from, to);
        yield observationOf(slot);
      }
    },
    async *days(from, to) {
      for await (const element of elements(from, to, DAY_SECONDS)) {
        const day = understood(feedDay, element);
        expectInside(day.slot, from, to);
        yield registeredDayOf(day);
      }
    },
  };

  async function* elements(from: EpochSeconds, to: EpochSeconds, step: number): AsyncGenerator {
    for (let next: EpochSeconds | undefined = from; next !== undefined;) {
      const answer = await ask(next, to, step);
      yield* answer.slots;
      const following: EpochSeconds | undefined = answer.next === null ? undefined : parseInstant(answer.next);
      if (following !== undefined && following <= next) throw notUnderstood('it goes round in circles');
      next = following;
    }
  }

  async function ask(from: EpochSeconds, to: EpochSeconds, step: number): Promise<z.output<typeof feedAnswer>> {
    const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to) });
    if (step !== SLOT_SECONDS) query.set('step', String(step));
    // The past comes whenever the network can be asked again. It asks some thirty times in all, and goes first.
    await client.turn(time.now() + DAY_SECONDS * 1000, 'first');
    const { status, body } = await client.get(`${url}?${query.toString()}`, { Accept: 'application/json' }, ANSWER);
    if (status !== 200) throw new AppError('unavailable', `The history feed answers ${status}`);
    return understood(feedAnswer, jsonOf(body));
  }
}

function observationOf({ slot, registered, online, titles }: z.output<typeof feedSlot>): SlotObservation {
  return {
    slot,
    registered: registered ?? null,
    online,
    titles: titles.map(({ titleId: id, online: users, sessions, players, matches }) => {
      const open = matches.map(({ host, players: have, maxPlayers }) => ({
        host,
        players: have,
        maxPlayers: maxPlayers ?? 0,
      }));
      const seen = activityOf(open);
      return {
        titleId: id,
        online: users,
        sessions: sessions ?? seen.sessions,
        players: players ?? seen.players,
        matches: open,
      };
    }),
  };
}

/** Seen in the day's last slot, as the last live observation of a day is. */
function registeredDayOf({ slot, registered }: z.output<typeof feedDay>): RegisteredDay {
  const day = Math.floor(parseInstant(slot) / DAY_SECONDS) * DAY_SECONDS;
  return { date: formatDate(day), registered, seenAt: formatInstant(day + DAY_SECONDS - SLOT_SECONDS) };
}

function expectInside(slot: string, from: EpochSeconds, to: EpochSeconds): void {
  const seconds = parseInstant(slot);
  if (seconds < from || seconds >= to) throw notUnderstood(`it tells of ${slot}, which nobody asked for`);
}
