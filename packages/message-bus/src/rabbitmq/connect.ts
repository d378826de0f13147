import { StartupError, messageOf } from '@lobbystats/errors';
import { connect, type ChannelModel } from 'amqplib';
import pRetry from 'p-retry';
import { Reconnecting, type OpenResource } from './reconnecting.ts';

const HEARTBEAT_S = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_INTERVAL_MS = 500;

export function reconnectingConnection(
  url: string,
  name: string,
  onOpen?: (model: ChannelModel) => void,
): Reconnecting<ChannelModel> {
  return new Reconnecting(async (): Promise<OpenResource<ChannelModel>> => {
    const model = await connectOnce(url, name);
    const lost = new Promise<void>((resolve) => model.once('close', () => resolve()));
    return { value: model, lost, close: () => model.close() };
  }, onOpen);
}

/**
 * Connects, and retries while the server is starting.
 *
 * @throws StartupError when the server refuses the user or the vhost, or doesn't come up in time
 */
export async function connectWithRetry(url: string, name: string, waitMs: number): Promise<ChannelModel> {
  try {
    return await pRetry(() => connectOnce(url, name), {
      retries: Infinity,
      factor: 1,
      minTimeout: RETRY_INTERVAL_MS,
      maxRetryTime: waitMs,
      shouldRetry: ({ error }) => !(error instanceof StartupError),
    });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`RabbitMQ at ${hostOf(url)} can't be reached: ${messageOf(error)}`, { cause: error });
  }
}

async function connectOnce(url: string, name: string): Promise<ChannelModel> {
  try {
    const model = await connect(withHeartbeat(url), {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { connection_name: name },
    });
    // `close` follows.
    model.on('error', () => undefined);
    return model;
  } catch (error) {
    throw toStartupError(url, messageOf(error)) ?? error;
  }
}

function toStartupError(url: string, message: string): StartupError | undefined {
  const { username, pathname } = new URL(url);
  if (message.includes('ACCESS-REFUSED')) {
    return new StartupError(
      `RabbitMQ at ${hostOf(url)} refuses the user ${decodeURIComponent(username)}: check the password in BUS_URL, and run the init job`,
    );
  }
  if (message.includes('ConnectionOpenOk')) {
    return new StartupError(
      `RabbitMQ at ${hostOf(url)} has no vhost ${decodeURIComponent(pathname.slice(1)) || '/'} for this user: run the init job`,
    );
  }
  return undefined;
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return parsed.href;
}

function hostOf(url: string): string {
  const { host, hostname, port, protocol } = new URL(url);
  return port === '' ? `${hostname}:${protocol === 'amqps:' ? 5671 : 5672}` : host;
}
