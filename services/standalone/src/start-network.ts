import { asStartError, urlOf, type Env, type Logger, type Stop } from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';
import type { StandaloneConfig } from './config.ts';

export interface StartNetworkOptions {
  clock: (() => number) | undefined;
  logger: Logger;
  onStarted: (stop: Stop) => void;
}

/** Returns its URLs. */
export async function startNetwork(
  config: StandaloneConfig,
  { clock, logger, onStarted }: StartNetworkOptions,
): Promise<Env> {
  if (!config.startsSimulator) return {};
  const { HOST: host, SIMULATOR_PORT: port } = config;
  const simulator = createSimulator({ host, port, ...(clock && { clock }) });
  onStarted(() => simulator.stop());
  const { port: bound } = await simulator.start().catch((error: unknown) => {
    throw asStartError(error, { host, port, setting: 'SIMULATOR_PORT' });
  });
  const url = urlOf(host, bound);
  logger.info('the network is simulated: all data is generated', { url });
  // Demo passwords are no secrets; as settings they would be redacted in the log.
  for (const { email, password } of simulator.accounts) {
    logger.info(`log in to the simulated network as ${email} with ${password}`);
  }
  // Set values take precedence.
  const others = { AUTH_URL: url, DISCORD_API_URL: `${url}/discord` };
  return {
    ...others,
    ...definedSettings(config.env, Object.keys(others)),
    NETWORK_URL: url,
    NETWORK_ORIGIN: config.NETWORK_ORIGIN,
  };
}

function definedSettings(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(names.filter((name) => (env[name] ?? '') !== '').map((name) => [name, env[name]]));
}
