import { operations } from '@lobbystats/contracts';
import { onlineUsersJson } from '../domain/online-users.ts';
import { parseResponse } from '../domain/upstreams.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import type { Composition } from './composition.ts';

export function onlineUsers(directory: TitleDirectory): Composition {
  return async (_asked, upstreams) => {
    const answer = await upstreams.fetch(operations.getLatestActivity, {}, {});
    const titles = directory.byName();
    const json = parseResponse(operations.getLatestActivity, answer, (activity) => onlineUsersJson(titles, activity));
    return { ...answer, body: Buffer.from(json), etag: undefined };
  };
}
