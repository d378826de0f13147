import type { ManagementApi } from './management-api.ts';
import type { BusUser } from './grants.ts';
import { rightsOf } from './rights.ts';

export interface UserToProvision {
  readonly vhost: string;
  readonly user: BusUser;
  /** What it is called at the broker. */
  readonly name: string;
  readonly password: string;
  readonly log: (line: string) => void;
}

/** Makes a user, or corrects its password and rights. */
export async function provisionUser(
  api: ManagementApi,
  { vhost, user, name, password, log }: UserToProvision,
): Promise<void> {
  const isNew = (await api.get('users', name)) === undefined;
  const { configure, write, read, topics } = rightsOf(user);
  await api.put({ password, tags: '' }, 'users', name);
  // Topics first: without any, a user may write whatever it likes to an exchange that it may write to.
  for (const topic of topics) await api.put(topic, 'topic-permissions', vhost, name);
  await api.put({ configure, write, read }, 'permissions', vhost, name);
  log(`RabbitMQ: ${isNew ? 'made' : 'set password and rights of'} the user ${name}`);
}
