import { formatInstant, slotOf, slotStored } from '@lobbystats/contracts';
import { gatewayService } from '@lobbystats/gateway';
import { openBus } from '@lobbystats/service-kit/bus';
import { serveCommands } from './serve-commands.ts';
import type { GatewayCommand } from './gateway.ts';

const bus = await openBus({ url: 'memory:', origin: 'simulated' });

serveCommands(async (message) => {
  const command = message as GatewayCommand;
  if ('start' in command) return start(command.start);
  await bus.publish(slotStored, { slot: formatInstant(slotOf(Date.now() / 1000)), online: 312, lobbies: 40 });
  return undefined;
});

async function start({
  upstreamUrl,
  cacheBytes,
}: Extract<GatewayCommand, { start: unknown }>['start']): Promise<number> {
  const config = gatewayService.readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    CACHE_BYTES: String(cacheBytes),
    SERIES_API_URL: upstreamUrl,
    CATALOG_API_URL: upstreamUrl,
    USER_API_URL: upstreamUrl,
    REPUTATION_API_URL: upstreamUrl,
  });
  const gateway = await gatewayService.create(config, { bus });
  await gateway.start();
  return Number(new URL(gateway.url()).port);
}
