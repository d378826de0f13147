import { AppError, messageOf } from '@lobbystats/contracts/errors';
import { createHttpClient, type Secret } from '@lobbystats/service-kit';
import { z } from 'zod';
import { discordAvatarUrl, type Discord, type DiscordUser } from './discord.ts';

export interface DiscordApiOptions {
  url: string;
  token?: Secret | undefined;
  timeoutMs?: number;
  onLookup?: (outcome: 'found' | 'unknown' | 'failed') => void;
}

/** Within the time limit of an update, so that the caller learns that Discord failed. */
const TIMEOUT_MS = 2000;
/** Far more than the response for a user. */
const BYTES_MAX = 65_536;
/** A longer `Retry-After` is shortened to this. Discord bans addresses that go on sending. */
const QUIET_MAX_MS = 600_000;

export function discordApi({ url, token, timeoutMs = TIMEOUT_MS, onLookup }: DiscordApiOptions): Discord {
  const client = createHttpClient({ timeoutMs, maxBytes: BYTES_MAX, quietMaxMs: QUIET_MAX_MS, mayRepeat: true });
  const headers = { Accept: 'application/json', ...(token && { Authorization: `Bot ${token.reveal()}` }) };

  const request = async (
    id: string,
  ): Promise<{ status: number; data: unknown; headers: { 'content-type'?: unknown } }> => {
    try {
      return await client.get<unknown>(`${url}/users/${id}`, { headers, responseType: 'json' });
    } catch (error) {
      // The client's own error holds the request's headers, and with them the token.
      throw lookupFailed(messageOf(error));
    }
  };
  const lookUp = async (id: string): Promise<DiscordUser | undefined> => {
    const { status, data, headers: responseHeaders } = await request(id);
    if (status === 404) return undefined;
    if (status !== 200) throw lookupFailed(`it responded with ${status}`);
    if (!/^application\/json\b/i.test(String(responseHeaders['content-type'])))
      throw lookupFailed('its response is not JSON');
    const { success, data: user } = discordUser.safeParse(data);
    if (!success || user.id !== id) throw lookupFailed('its response is not the requested user');
    return { avatarUrl: user.avatar === null ? null : discordAvatarUrl(id, user.avatar) };
  };
  return {
    user: async (id) => {
      try {
        const found = await lookUp(id);
        onLookup?.(found === undefined ? 'unknown' : 'found');
        return found;
      } catch (error) {
        onLookup?.('failed');
        throw error;
      }
    },
  };
}

const discordUser = z.object({
  id: z.string(),
  // Another form could make the avatar's URL point elsewhere.
  avatar: z
    .string()
    .regex(/^\w{1,64}$/)
    .nullable()
    .catch(null),
});

function lookupFailed(reason: string): AppError {
  return new AppError('lookup-failed', 'The look-up in Discord failed', { cause: new Error(`Discord: ${reason}`) });
}
