import { operations } from '@lobbystats/contracts';
import { onlineUsersJson } from '../domain/online-users.ts';
import { readAnswer, type OwnerAnswer, type Owners } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';

/** Answers the online users map: series-api's newest slot, with the names and icons of the title directory. */
export function onlineUsers(owners: Owners, directory: TitleDirectory): () => Promise<OwnerAnswer> {
  return async () => {
    const answer = await owners.ask(operations.getLatestActivity, {}, {});
    const titles = directory.byName();
    const json = readAnswer(operations.getLatestActivity, answer, (activity) => onlineUsersJson(titles, activity));
    return { ...answer, body: Buffer.from(json) };
  };
}
