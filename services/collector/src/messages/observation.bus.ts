import { createHash } from 'node:crypto';
import {
  backfillProgressed,
  boardConfirmed,
  boardObserved,
  boardRequested,
  eventsObserved,
  formatInstant,
  iconObserved,
  pageRequested,
  parseInstant,
  playersObserved,
  playObserved,
  registeredObserved,
  slotObserved,
  slotWithdrawn,
  sourcesChecked,
  titleObserved,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import type { ObservationPublisher } from '../network/observation-publisher.ts';

/** Message ids derive from their content, so that duplicates are recognised. */
export function createBusPublisher(bus: MessageBus): ObservationPublisher {
  const idOf = (type: { key: string }, ...parts: string[]) => [type.key, bus.origin, ...parts].join(':');
  return {
    async publishSlot(observation, { past, replaces }) {
      const replacing = replaces === undefined ? {} : { replaces: formatInstant(replaces) };
      const id = idOf(slotObserved, observation.slot, ...Object.values(replacing));
      await bus.publish(
        slotObserved,
        { ...observation, ...replacing },
        { id, occurredAt: parseInstant(observation.slot), past },
      );
    },
    async publishWithdrawal(withdrawalId, withdrawal) {
      const id = idOf(slotWithdrawn, withdrawalId);
      await bus.publish(slotWithdrawn, withdrawal, {
        id,
        occurredAt: parseInstant(withdrawal.withdrawnAt),
        past: true,
      });
    },
    async publishTitles(seenAt, titles, { past }) {
      const data = { seenAt: formatInstant(seenAt), titles };
      const id = idOf(titleObserved, data.seenAt, digestOf(titles));
      await bus.publish(titleObserved, data, { id, occurredAt: seenAt, past });
    },
    async publishIcon({ titleId, seenAt, image }) {
      const at = formatInstant(seenAt);
      const id = idOf(iconObserved, titleId, at);
      await bus.publish(iconObserved, { seenAt: at, titleId, image }, { id, occurredAt: seenAt, past: false });
    },
    async publishRegistered(days) {
      const id = idOf(registeredObserved, digestOf(days));
      const latest = Math.max(...days.map(({ seenAt }) => parseInstant(seenAt)));
      await bus.publish(registeredObserved, { days }, { id, occurredAt: latest, past: true });
    },
    async enqueuePage({ slot, ...job }, expiresAtMs) {
      const at = formatInstant(slot);
      const id = idOf(pageRequested, at, job.titleId);
      const options = { id, occurredAt: slot, expiresAtMs: Math.floor(expiresAtMs) };
      await bus.publish(pageRequested, { slot: at, ...job }, options);
    },
    async publishBoard({ pass, seenAt, ...observation }, { past }) {
      const at = formatInstant(pass);
      const id = idOf(boardObserved, observation.titleId, String(observation.leaderboardId), at);
      const data = { ...observation, pass: at, seenAt: formatInstant(seenAt) };
      await bus.publish(boardObserved, data, { id, occurredAt: seenAt, past });
    },
    async confirmBoard({ pass, seenAt, ...board }, { past }) {
      const data = { ...board, pass: formatInstant(pass), seenAt: formatInstant(seenAt) };
      const id = idOf(boardConfirmed, board.titleId, String(board.leaderboardId), data.seenAt);
      await bus.publish(boardConfirmed, data, { id, occurredAt: seenAt, past });
    },
    async enqueueBoard({ pass, ...job }, expiresAtMs) {
      const at = formatInstant(pass);
      const id = idOf(boardRequested, job.titleId, String(job.leaderboardId), at);
      const options = { id, occurredAt: pass, expiresAtMs: Math.floor(expiresAtMs) };
      await bus.publish(boardRequested, { pass: at, ...job }, options);
    },
    async publishEvents(slot, { seenAt, ...announced }, digest, { past }) {
      const id = idOf(eventsObserved, formatInstant(slot), digest);
      const data = { seenAt: formatInstant(seenAt), ...announced };
      await bus.publish(eventsObserved, data, { id, occurredAt: seenAt, past });
    },
    async publishPlayers(slot, seenAt, players, { past }) {
      const id = idOf(playersObserved, formatInstant(slot), digestOf(players));
      const data = { seenAt: formatInstant(seenAt), players: [...players] };
      await bus.publish(playersObserved, data, { id, occurredAt: seenAt, past });
    },
    async publishPlayTime(players, until) {
      const id = idOf(playObserved, formatInstant(until), digestOf(players));
      await bus.publish(playObserved, { players: [...players] }, { id, occurredAt: until, past: true });
    },
    async publishProgress(progress, at) {
      const { part, done, total } = progress;
      if (total === 0) return;
      const id = idOf(backfillProgressed, part, `${done}/${total}`);
      await bus.publish(backfillProgressed, progress, { id, occurredAt: at });
    },
    async publishSources({ failingSince, ...sources }, at) {
      const data = { ...sources, failingSince: failingSince === null ? null : formatInstant(failingSince) };
      const id = idOf(sourcesChecked, formatInstant(at), digestOf(data));
      await bus.publish(sourcesChecked, data, { id, occurredAt: at });
    },
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
