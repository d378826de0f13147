import { messageOf } from '@lobbystats/errors';
import { partOf, type Finding } from './finding.ts';
import { askHttp, clockFinding } from './look-at-clock.ts';

export async function lookAtSite(
  url: string,
  { clock, running }: { clock: () => number; running: boolean },
): Promise<Finding> {
  const part = partOf('site');
  try {
    const { status } = await askHttp(url, clock);
    return status < 500
      ? part.ok(`${url} answers`)
      : part.fault(`${url} answers ${status}`, 'see the log of the gateway');
  } catch (error) {
    const says = `${url} does not answer: ${messageOf(error)}`;
    return running
      ? part.fault(says, 'see whether the gateway runs, and listens there')
      : part.warning(says, 'start the system');
  }
}

export async function lookAtNetwork(url: string | undefined, clock: () => number): Promise<Finding[]> {
  if (url === undefined) return [partOf('network').ok('simulated: everything shown is made up')];
  const part = partOf('network');
  try {
    const { status, reading } = await askHttp(url, clock);
    const said =
      status < 500
        ? part.ok(`${url} answers`)
        : part.warning(`${url} answers ${status}`, 'slots are missed meanwhile; nothing can be done here');
    return [said, ...(reading === undefined ? [] : [clockFinding('network', reading)])];
  } catch (error) {
    return [part.warning(`${url} does not answer: ${messageOf(error)}`, 'check NETWORK_URL, and the way there')];
  }
}
