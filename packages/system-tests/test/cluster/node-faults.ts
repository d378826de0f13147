import { docker } from '@lobbystats/test-kit/docker';
import { pauseService } from '../drills/faults/break-service.ts';

/** The part of a stack that faults need. */
export interface FaultyStack {
  /** The name of its compose project. */
  readonly project: string;
  readonly compose: (...args: string[]) => Promise<string>;
}

/** A fault of one container. `heal` ends it. */
export interface NodeFault {
  readonly name: string;
  readonly inject: (stack: FaultyStack, service: string) => Promise<unknown>;
  readonly heal: (stack: FaultyStack, service: string) => Promise<unknown>;
}

/** SIGKILL, as when the machine or the kernel kills it. */
export const killed: NodeFault = {
  name: 'killed',
  inject: async (stack, service) => docker(['kill', '-s', 'KILL', await containerOf(stack, service)]),
  heal: async (stack, service) => docker(['start', await containerOf(stack, service)]),
};

/** Connections stay open and are silent, as on a host that swaps or migrates. */
export const paused: NodeFault = {
  name: 'paused',
  inject: pauseService,
  heal: ({ compose }, service) => compose('unpause', service),
};

/** Packets to and from all other containers are lost. */
export const partitioned: NodeFault = {
  name: 'partitioned',
  inject: (stack, service) => onEachNetwork(stack, service, (network, id) => ['disconnect', network, id]),
  heal: (stack, service) =>
    onEachNetwork(stack, service, (network, id) => ['connect', '--alias', service, network, id]),
};

const STEP_DOWN = `mongosh --quiet --norc -u admin -p "$(</run/secrets/MONGODB_ADMIN_PASSWORD)" --eval 'rs.stepDown(20)'`;

/** A planned change of the primary, as before maintenance. Another member takes over at once. */
export const steppedDown: NodeFault = {
  name: 'stepped down',
  inject: ({ compose }, service) => compose('exec', '-T', service, 'bash', '-c', STEP_DOWN),
  heal: () => Promise.resolve(),
};

/** The networks of the servers in docker-compose.yml. */
const NETWORKS = ['inside', 'host-ports'];

async function onEachNetwork(
  stack: FaultyStack,
  service: string,
  commandOf: (network: string, id: string) => string[],
): Promise<void> {
  const id = await containerOf(stack, service);
  for (const name of NETWORKS) await docker(['network', ...commandOf(`${stack.project}_${name}`, id)]);
}

async function containerOf({ compose }: FaultyStack, service: string): Promise<string> {
  return compose('ps', '-aq', service);
}
