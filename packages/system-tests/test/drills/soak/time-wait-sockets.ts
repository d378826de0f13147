import type { StackStage } from '../stages/stack-stage.ts';

const SERVICES = ['nginx', 'gateway'];

/**
 * TCP sockets in TIME_WAIT in the containers of nginx and of one gateway. Each holds an ephemeral port for 60 s: a service that opens a
 * connection for every request runs out of ports at 470 requests/s.
 */
export async function timeWaitSockets({ compose }: StackStage): Promise<number> {
  const sockets = await Promise.all(
    SERVICES.map((service) => compose('exec', '-T', service, 'cat', '/proc/net/sockstat').catch(() => '')),
  );
  return sockets.reduce((sum, text) => sum + Number(/^TCP: .*\btw (\d+)/m.exec(text)?.[1] ?? 0), 0);
}
