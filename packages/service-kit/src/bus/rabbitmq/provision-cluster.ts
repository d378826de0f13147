import { StartupError } from '@lobbystats/contracts/errors';
import pRetry from 'p-retry';
import { z } from 'zod';
import type { ManagementApi } from './management-api.ts';
import { foundMembers, memberFaults, nodeNames } from './member-faults.ts';

/** Stores the metadata of a cluster in Raft. Mnesia doesn't recover from a partition by itself. */
const METADATA_STORE = 'khepri_db';
const RETRY_INTERVAL_MS = 500;

const nodes = z.array(z.object({ name: z.string(), running: z.boolean().default(false) }));
const featureFlags = z.array(z.object({ name: z.string(), state: z.string() }));

/**
 * Waits until as many nodes run as the URL lists, since queues are declared on those that run, and enables the metadata
 * store of clusters, which releases since 4.2 enable themselves. Continues without a node that stays down.
 */
export async function provisionCluster(
  api: ManagementApi,
  { waitMs, log }: { waitMs: number; log: (line: string) => void },
): Promise<void> {
  if (api.nodeCount === 1) return;
  try {
    await pRetry(() => assertAllRun(api), {
      retries: Infinity,
      factor: 1,
      minTimeout: RETRY_INTERVAL_MS,
      maxRetryTime: waitMs,
    });
  } catch (error) {
    if (!(error instanceof NodesMissingError)) throw error;
    log(`RabbitMQ: ${error.message}. New queues get their members when it joins`);
  }
  const flags = featureFlags.parse(await api.get('feature-flags'));
  if (flags.find(({ name }) => name === METADATA_STORE)?.state !== 'disabled') return;
  await api.put({}, 'feature-flags', METADATA_STORE, 'enable');
  log(`RabbitMQ: enabled the feature flag ${METADATA_STORE}`);
}

/** Logs which queues and streams lack a member, with the command that adds it. */
export async function reportMembers(api: ManagementApi, vhost: string, log: (line: string) => void): Promise<void> {
  if (api.nodeCount === 1) return;
  const names = nodeNames(nodes.parse(await api.get('nodes')));
  const queues = foundMembers.parse(await api.get('queues', vhost));
  for (const { text, todo } of memberFaults({ vhost, ...names }, queues)) log(`RabbitMQ: ${text}: ${todo}`);
}

class NodesMissingError extends StartupError {}

async function assertAllRun(api: ManagementApi): Promise<void> {
  const { running } = nodeNames(nodes.parse(await api.get('nodes')));
  if (running.length >= api.nodeCount) return;
  throw new NodesMissingError(`${running.length} of ${api.nodeCount} nodes run: ${running.join(', ')}`);
}
