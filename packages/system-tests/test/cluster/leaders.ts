import type { FaultyStack } from './node-faults.ts';

export const RABBITMQ_NODES = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const;
export const MONGODB_MEMBERS = ['mongodb', 'mongodb-2', 'mongodb-3'] as const;
/** The stream of facts, which depends on its leader most. */
export const FACTS_LOG = 'facts.log';

/** The service of the primary of the replica set. */
export async function mongoPrimary({ compose }: FaultyStack): Promise<string> {
  const program = `print(db.hello().primary ?? '')`;
  const host = await compose('exec', '-T', MONGODB_MEMBERS[0], 'mongosh', '--quiet', '--norc', '--eval', program);
  return host.replace(/:\d+$/, '');
}

/** The service of the node with the leader of a queue or stream. */
export async function queueLeader({ compose }: FaultyStack, queue: string): Promise<string> {
  const words = ['-q', '-p', 'lobbystats', 'list_queues', 'name', 'leader', '--formatter', 'json'];
  const rows = JSON.parse(await compose('exec', '-T', RABBITMQ_NODES[0], 'rabbitmqctl', ...words)) as {
    name: string;
    leader: string;
  }[];
  return rows.find(({ name }) => name === queue)?.leader.replace(/^rabbit@/, '') ?? '';
}
