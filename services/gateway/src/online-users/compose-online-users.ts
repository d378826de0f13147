import { operations } from '@lobbystats/contracts';
import { onlineUsersJson } from './online-users.ts';
import { parseResponse } from '../upstreams/upstreams.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import type { Composition } from '../operations/composition.ts';

export function onlineUsers(directory: TitleDirectory): Composition {
  return async (_asked, upstreams) => {
    const answer = await upstreams.fetch(operations.getLatestActivity, {}, {});
    const titles = directory.byName();
    const json = parseResponse(operations.getLatestActivity, answer, (activity) => onlineUsersJson(titles, activity));
    return { ...answer, body: Buffer.from(json), etag: undefined };
  };
}
