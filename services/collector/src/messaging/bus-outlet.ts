import { createHash } from 'node:crypto';
import {
  boardConfirmed,
  boardObserved,
  boardWanted,
  eventsObserved,
  formatInstant,
  pageWanted,
  parseInstant,
  playersObserved,
  playObserved,
  registeredObserved,
  slotObserved,
  titleObserved,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/message-bus';
import type { Outlet } from '../domain/outlet.ts';

/** Message ids derive from their content, so that duplicates are recognised. */
export function createBusOutlet(bus: MessageBus): Outlet {
  const idOf = (type: { key: string }, ...parts: string[]) => [type.key, bus.origin, ...parts].join(':');
  return {
    async slot(observation, { past }) {
      const id = idOf(slotObserved, observation.slot);
      await bus.publish(slotObserved, observation, { id, occurredAt: parseInstant(observation.slot), past });
    },
    async titles(seenAt, titles, { past }) {
      const data = { seenAt: formatInstant(seenAt), titles };
      const id = idOf(titleObserved, data.seenAt, digestOf(titles));
      await bus.publish(titleObserved, data, { id, occurredAt: seenAt, past });
    },
    async registered(days) {
      const id = idOf(registeredObserved, digestOf(days));
      const latest = Math.max(...days.map(({ seenAt }) => parseInstant(seenAt)));
      await bus.publish(registeredObserved, { days }, { id, occurredAt: latest, past: true });
    },
    async wantPage({ slot, ...job }, expiresAtMs) {
      const at = formatInstant(slot);
      const id = idOf(pageWanted, at, job.titleId);
      await bus.publish(
        pageWanted,
        { slot: at, ...job },
        { id, occurredAt: slot, expiresAtMs: Math.floor(expiresAtMs) },
      );
    },
    async board({ pass, seenAt, ...observation }, { past }) {
      const at = formatInstant(pass);
      const id = idOf(boardObserved, observation.titleId, String(observation.leaderboardId), at);
      const data = { ...observation, pass: at, seenAt: formatInstant(seenAt) };
      await bus.publish(boardObserved, data, { id, occurredAt: seenAt, past });
    },
    async boardConfirmed({ pass, seenAt, ...board }, { past }) {
      const data = { ...board, pass: formatInstant(pass), seenAt: formatInstant(seenAt) };
      const id = idOf(boardConfirmed, board.titleId, String(board.leaderboardId), data.seenAt);
      await bus.publish(boardConfirmed, data, { id, occurredAt: seenAt, past });
    },
    async wantBoard({ pass, ...job }, expiresAtMs) {
      const at = formatInstant(pass);
      const id = idOf(boardWanted, job.titleId, String(job.leaderboardId), at);
      await bus.publish(
        boardWanted,
        { pass: at, ...job },
        { id, occurredAt: pass, expiresAtMs: Math.floor(expiresAtMs) },
      );
    },
    async events(slot, { seenAt, ...announced }, digest, { past }) {
      const id = idOf(eventsObserved, formatInstant(slot), digest);
      const data = { seenAt: formatInstant(seenAt), ...announced };
      await bus.publish(eventsObserved, data, { id, occurredAt: seenAt, past });
    },
    async players(slot, seenAt, players, { past }) {
      const id = idOf(playersObserved, formatInstant(slot), digestOf(players));
      const data = { seenAt: formatInstant(seenAt), players: [...players] };
      await bus.publish(playersObserved, data, { id, occurredAt: seenAt, past });
    },
    async play(players, until) {
      const id = idOf(playObserved, formatInstant(until), digestOf(players));
      await bus.publish(playObserved, { players: [...players] }, { id, occurredAt: until, past: true });
    },
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
