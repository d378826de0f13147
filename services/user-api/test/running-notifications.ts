import {
  formatInstant,
  formatTimestamp,
  operations,
  playersObserved,
  slotObserved,
  titleStored,
  type Change,
  type MessageType,
  type OperationResponse,
} from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { NOW, runUserApi, sessionKeyOf, type RunningUserApi, type RunOptions } from './running-user-api.ts';

const { follow, listNotifications } = operations;
export const TITLE = '4d530064';
export const BOARD = { titleId: TITLE, leaderboardId: 17 };

/** A service with the names of a game, and requests in the name of EmberFox. */
export async function runNotifications(options: RunOptions = {}) {
  const users = await runUserApi(options);
  const publish = async <Data extends z.ZodType>(type: MessageType<Data>, data: z.input<Data>, id?: string) => {
    const occurredAt = Math.floor(users.clock.nowMs / 1000);
    await users.bus.publish(type, data, { occurredAt, ...(id !== undefined && { id }) });
    await eventually(async () => {
      expect(await users.bus.depth('user-api')).toBe(0);
    });
  };
  // Players of the first poll do not come online.
  await publish(playersObserved, { seenAt: formatInstant(NOW - 300), players: [] });
  const names = { name: 'Harbor Racing', title: '', image: '', publisher: '', releaseDate: '', productCode: '' };
  await publish(titleStored, { revision: 1, titles: [{ titleId: TITLE, ...names }] });
  return {
    users,
    publish,
    follow: async (kind: string, id: string, rules?: object, as = 'EmberFox') => {
      expect(await users.send(follow.path, { kind, id, ...(rules && { rules }) }, { as })).toMatchObject({
        status: 200,
      });
    },
    /** A slot with lobbies as host and players. */
    slot: async (index: number, lobbies: Record<string, number>, online = 3) => {
      users.clock.nowMs = (NOW + index * 300) * 1000;
      const matches = Object.entries(lobbies).map(([host, players]) => ({ host, players, maxPlayers: 8 }));
      const title = { titleId: TITLE, online, sessions: 1, players: 1, matches };
      await publish(slotObserved, {
        ...{ slot: formatInstant(NOW + index * 300), registered: 1, online, titles: [title] },
      });
    },
    notified: (as = 'EmberFox') => notificationsOf(users, as),
    /** Waits until the texts of all notifications, newest first, are these. */
    expectNotified: (texts: readonly string[], as = 'EmberFox') =>
      eventually(async () => {
        expect((await notificationsOf(users, as)).map(({ text }) => text)).toEqual(texts);
      }),
  };
}

export async function notificationsOf(users: RunningUserApi, as: string) {
  const { body } = await getJson<OperationResponse<typeof listNotifications>>(users.url + listNotifications.path, {
    headers: { 'X-Session-Key': sessionKeyOf(as) },
  });
  return body.notifications;
}

/** Returns a change by which Marlow takes rank 1. */
export function change(changes: Partial<Change> = {}): Change {
  return {
    ...{ id: 1, type: 'updated', ...BOARD, gameName: 'Harbor Racing', leaderboardName: 'Old Pier' },
    ...{ playerName: 'Marlow', isTime: true, oldRank: 3, newRank: 1, oldRating: '0:50.0', newRating: '0:49.0' },
    ...{ oldTimeMs: 50_000, newTimeMs: 49_000, changedAt: formatTimestamp(NOW) },
    ...changes,
  };
}
