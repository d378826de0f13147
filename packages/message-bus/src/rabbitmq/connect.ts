import { RefusalError, messageOf } from '@lobbystats/errors';
import { connect, type ChannelModel } from 'amqplib';
import pRetry from 'p-retry';
import { Kept, type Opened } from './kept.ts';

const HEARTBEAT_S = 10;
const CONNECT_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 500;

export function keepConnection(url: string, name: string, onOpen?: (model: ChannelModel) => void): Kept<ChannelModel> {
  return new Kept(async (): Promise<Opened<ChannelModel>> => {
    const model = await connectOnce(url, name);
    const lost = new Promise<void>((resolve) => model.once('close', () => resolve()));
    return { value: model, lost, close: () => model.close() };
  }, onOpen);
}

/**
 * Waits for a server that is starting.
 *
 * @throws RefusalError when the server refuses the user or the vhost, or doesn't come up in time
 */
export async function connectAtFirst(url: string, name: string, waitMs: number): Promise<ChannelModel> {
  try {
    return await pRetry(() => connectOnce(url, name), {
      retries: Infinity,
      factor: 1,
      minTimeout: LOOK_AGAIN_MS,
      maxRetryTime: waitMs,
      shouldRetry: ({ error }) => !(error instanceof RefusalError),
    });
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    throw new RefusalError(`RabbitMQ at ${hostOf(url)} can't be reached: ${messageOf(error)}`, { cause: error });
  }
}

async function connectOnce(url: string, name: string): Promise<ChannelModel> {
  try {
    const model = await connect(withHeartbeat(url), {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_WITHIN_MS,
      clientProperties: { connection_name: name },
    });
    // `close` follows.
    model.on('error', () => undefined);
    return model;
  } catch (error) {
    throw refusal(url, messageOf(error)) ?? error;
  }
}

function refusal(url: string, message: string): RefusalError | undefined {
  const { username, pathname } = new URL(url);
  if (message.includes('ACCESS-REFUSED')) {
    return new RefusalError(
      `RabbitMQ at ${hostOf(url)} refuses the user ${decodeURIComponent(username)}: check the password in BUS_URL, and run the init job`,
    );
  }
  if (message.includes('ConnectionOpenOk')) {
    return new RefusalError(
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
