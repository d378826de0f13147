import type { ManagementApi } from './management-api.ts';
import type { BusUser } from './grants.ts';
import { permissionsOf } from './permissions.ts';

export interface UserToProvision {
  readonly vhost: string;
  readonly user: BusUser;
  readonly name: string;
  readonly password: string;
  readonly log: (line: string) => void;
}

export async function provisionUser(
  api: ManagementApi,
  { vhost, user, name, password, log }: UserToProvision,
): Promise<void> {
  const isNew = (await api.get('users', name)) === undefined;
  const { configure, write, read, topics } = permissionsOf(user);
  await api.put({ password, tags: '' }, 'users', name);
  // Topic permissions first: without any, a user may publish any key to an exchange with write permission.
  for (const topic of topics) await api.put(topic, 'topic-permissions', vhost, name);
  await api.put({ configure, write, read }, 'permissions', vhost, name);
  log(`RabbitMQ: ${isNew ? 'created' : 'set password and permissions of'} the user ${name}`);
}
