import { formatInstant, slotOf, slotStored } from '@lobbystats/contracts';
import { createGateway, readGatewayConfig } from '@lobbystats/gateway';
import { openBus } from '@lobbystats/message-bus';
import { doAsTold } from './do-as-told.ts';
import type { GatewayCommand } from './gateway.ts';

const bus = await openBus({ url: 'memory:', origin: 'simulated' });

doAsTold(async (told) => {
  const command = told as GatewayCommand;
  if ('start' in command) return start(command.start);
  await bus.publish(slotStored, { slot: formatInstant(slotOf(Date.now() / 1000)), online: 312, lobbies: 40 });
  return undefined;
});

async function start({ ownersUrl, cacheBytes }: Extract<GatewayCommand, { start: unknown }>['start']): Promise<number> {
  const config = readGatewayConfig({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    CACHE_BYTES: String(cacheBytes),
    SERIES_API_URL: ownersUrl,
    CATALOG_API_URL: ownersUrl,
    USER_API_URL: ownersUrl,
    REPUTATION_API_URL: ownersUrl,
  });
  const gateway = await createGateway(config, { bus });
  await gateway.start();
  return Number(new URL(gateway.url()).port);
}
