import { GAME_NAME_MAX, type operations, type OperationResponse } from '@lobbystats/contracts';
import { createHttpClient } from '../client/create-http-client.ts';
import type { Secret } from '../config/setting.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { z } from 'zod';

/** Returns the presence of the user of a session; undefined: no usable answer. */
export type SessionPresence = (
  sessionKey: Secret,
) => Promise<OperationResponse<typeof operations.getOwnPresence> | undefined>;

const PATH = '/api/auth/profile';
/** The session check before it takes up to 2 s of the gateway's 5 s. */
const TIMEOUT_MS = 1500;
/** A profile lists all games that the user has played. */
const BYTES_MAX = 1_048_576;
const SOCKETS_MAX = 16;
/** A longer `Retry-After` is shortened to this. */
const QUIET_MAX_MS = 60_000;

const sessionProfile = z.object({
  isOnline: z.boolean(),
  game: z.string().min(1).max(GAME_NAME_MAX).nullish(),
});

/** Asks the auth service in the name of a user. Keys are neither stored nor logged. */
export function createSessionPresence({ authUrl, metrics }: { authUrl: string; metrics: Metrics }): SessionPresence {
  const client = createHttpClient({
    ...{
      timeoutMs: TIMEOUT_MS,
      maxBytes: BYTES_MAX,
      maxSockets: SOCKETS_MAX,
      quietMaxMs: QUIET_MAX_MS,
      mayRepeat: true,
    },
  });
  const outcomes = metrics.counter('session_presences_total', 'Presences of callers by outcome', ['outcome']);
  return async (sessionKey) => {
    const headers = { Accept: 'application/json', 'X-Session-Key': sessionKey.reveal() };
    const response = await client
      .get<unknown>(authUrl + PATH, { headers, responseType: 'json' })
      // The client's own error holds the request's headers, and with them the key.
      .catch(() => undefined);
    const read = sessionProfile.safeParse(response?.status === 200 ? response.data : undefined);
    if (!read.success) {
      outcomes.inc({ outcome: 'failed' });
      return undefined;
    }
    const { isOnline, game } = read.data;
    outcomes.inc({ outcome: isOnline ? 'online' : 'offline' });
    return { isOnline, game: isOnline ? (game?.toWellFormed() ?? null) : null };
  };
}
