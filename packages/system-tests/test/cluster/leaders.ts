import { eventually } from '@lobbystats/test-kit';
import type { FaultyStack } from '../faults/inject.ts';

export const RABBITMQ_NODES = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const;
export const MONGODB_MEMBERS = ['mongodb', 'mongodb-2', 'mongodb-3'] as const;
/** The stream of facts, which depends on its leader most. */
export const FACTS_LOG = 'facts.log';

/** The service of the primary of the replica set. */
export async function mongoPrimary({ compose }: FaultyStack): Promise<string> {
  const program = `print(db.hello().primary ?? '')`;
  const ask = (member: string) => compose('exec', '-T', member, 'mongosh', '--quiet', '--norc', '--eval', program);
  return (await firstAnswer(MONGODB_MEMBERS, ask)).replace(/:\d+$/, '');
}

/** The service of the node with the leader of a queue or stream. */
export async function queueLeader({ compose }: FaultyStack, queue: string): Promise<string> {
  const words = ['-q', '-p', 'lobbystats', 'list_queues', 'name', 'leader', '--formatter', 'json'];
  const answer = await firstAnswer(RABBITMQ_NODES, (node) => compose('exec', '-T', node, 'rabbitmqctl', ...words));
  const rows = JSON.parse(answer) as { name: string; leader: string }[];
  return rows.find(({ name }) => name === queue)?.leader.replace(/^rabbit@/, '') ?? '';
}

/** A node that has just started may not answer yet. */
async function firstAnswer(nodes: readonly string[], ask: (node: string) => Promise<string>): Promise<string> {
  return eventually(() => Promise.any(nodes.map(askFully)), { everyMs: 1000 });

  async function askFully(node: string): Promise<string> {
    const answer = await ask(node);
    if (answer === '') throw new Error(`${node} knows no leader`);
    return answer;
  }
}
