import { z } from 'zod';
import { allQueues, topology } from './topology.ts';

export interface MemberFault {
  readonly text: string;
  /** Remedy. */
  readonly todo: string;
}

export const foundMembers = z.array(
  z.object({
    name: z.string(),
    type: z.string().optional(),
    members: z.array(z.string()).default([]),
    online: z.array(z.string()).default([]),
  }),
);
type FoundQueue = z.infer<typeof foundMembers>[number];

/** The names of a cluster's nodes, and of those that run. */
export function nodeNames(found: readonly { name: string; running?: boolean | undefined }[]): {
  nodes: string[];
  running: string[];
} {
  return {
    nodes: found.map(({ name }) => name),
    running: found.filter(({ running }) => running !== false).map(({ name }) => name),
  };
}

/** Queues and streams that a node of the cluster doesn't hold: with fewer members, they survive fewer losses. */
export function memberFaults(
  { vhost, nodes, running }: { vhost: string; nodes: readonly string[]; running: readonly string[] },
  found: readonly FoundQueue[],
): MemberFault[] {
  const own = topology(allQueues).queues.map(({ name }) => name);
  const replicated = found.filter(({ name, members }) => own.includes(name) && members.length > 0);
  const streams = replicated.filter(({ type }) => type === 'stream');
  const queues = replicated.filter(({ type }) => type !== 'stream');
  return nodes.flatMap((node) => {
    const isAbsent = ({ members }: FoundQueue): boolean => !members.includes(node);
    const isOffline = ({ members, online }: FoundQueue): boolean => members.includes(node) && !online.includes(node);
    const lacking = queues.filter(isAbsent).length;
    const offline = running.includes(node) ? replicated.filter(isOffline).map(({ name }) => name) : [];
    return [
      ...(lacking === 0
        ? []
        : [
            {
              text: `${lacking} of ${queues.length} quorum queues have no member on ${node}`,
              todo: `wait a minute, or rabbitmq-queues grow ${node} all --vhost-pattern '^${vhost}$'`,
            },
          ]),
      ...streams.filter(isAbsent).map(({ name }) => ({
        text: `the stream ${name} has no replica on ${node}`,
        todo: `docker compose exec rabbitmq rabbitmq-streams add_replica --vhost ${vhost} ${name} ${node}`,
      })),
      ...(offline.length === 0
        ? []
        : [
            {
              text: `members on ${node} are offline: ${offline.join(', ')}`,
              todo: `wait a minute, then restart ${node}`,
            },
          ]),
    ];
  });
}
