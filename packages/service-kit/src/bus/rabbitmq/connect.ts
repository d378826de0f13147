import { StartupError, messageOf } from '@lobbystats/contracts/errors';
import { connect, type ChannelModel } from 'amqplib';
import pRetry from 'p-retry';
import { HostRotation, hostUrls } from './host-urls.ts';
import { Reconnecting, type OpenResource } from './reconnecting.ts';

const HEARTBEAT_S = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** With several hosts, where a paused one accepts connections and doesn't respond. */
const HOST_TIMEOUT_MS = 1500;
const RETRY_INTERVAL_MS = 500;
/** A node that is starting refuses users for seconds. */
const REFUSED_MS = 15_000;

interface BrokerConnectionOptions {
  readonly onOpen?: (model: ChannelModel) => void;
  /** The hosts have refused the user for {@link REFUSED_MS}. */
  readonly onRefused: (error: Error) => void;
  readonly heartbeatS?: number;
}

/** A connection to one of the URL's hosts; after its loss, to another one. */
export class BrokerConnection extends Reconnecting<ChannelModel> {
  readonly #hosts: HostRotation;

  constructor(url: string, name: string, options: BrokerConnectionOptions) {
    const { onOpen, onRefused, heartbeatS = HEARTBEAT_S } = options;
    const hosts = new HostRotation(url);
    let refusedAtMs: number | undefined;
    super(async (): Promise<OpenResource<ChannelModel>> => {
      const model = await connectToAny(hosts, name, heartbeatS).catch((error: unknown) => {
        if (!(error instanceof StartupError)) refusedAtMs = undefined;
        else if (performance.now() - (refusedAtMs ??= performance.now()) >= REFUSED_MS) onRefused(error);
        throw error;
      });
      refusedAtMs = undefined;
      const lost = new Promise<void>((resolve) => model.once('close', () => resolve()));
      return { value: model, lost, close: () => model.close() };
    }, onOpen);
    this.#hosts = hosts;
  }

  get hasOtherHosts(): boolean {
    return !this.#hosts.isSingle;
  }

  /** Connects to another host, if there is one: this one accepts connections, and can't do its work. */
  leaveHost(model: ChannelModel): void {
    if (!this.#hosts.isSingle) this.drop(model);
  }
}

/**
 * Connects, and retries while the server is starting.
 *
 * @throws StartupError when the server refuses the user or the vhost, or doesn't come up in time
 */
export async function connectWithRetry(url: string, name: string, waitMs: number): Promise<ChannelModel> {
  const hosts = new HostRotation(url);
  try {
    return await pRetry(() => connectToAny(hosts, name), {
      retries: Infinity,
      factor: 1,
      minTimeout: RETRY_INTERVAL_MS,
      maxRetryTime: waitMs,
      shouldRetry: ({ error }) => !(error instanceof StartupError),
    });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const where = hostUrls(url).map(hostOf).join(',');
    throw new StartupError(`RabbitMQ at ${where} can't be reached: ${messageOf(error)}`, { cause: error });
  }
}

/** Tries each host once. A refusal by one host, as of a node that is starting, doesn't rule out the others. */
async function connectToAny(hosts: HostRotation, name: string, heartbeatS = HEARTBEAT_S): Promise<ChannelModel> {
  const failures: unknown[] = [];
  for (const host of hosts.urls) {
    // The next connection, after the loss of this one, tries the other hosts first.
    hosts.moveToEnd(host);
    try {
      return await connectOnce(
        withHeartbeat(host, heartbeatS),
        name,
        hosts.isSingle ? CONNECT_TIMEOUT_MS : HOST_TIMEOUT_MS,
      );
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures.find((error) => error instanceof StartupError) ?? failures.at(-1);
}

async function connectOnce(url: string, name: string, timeoutMs: number): Promise<ChannelModel> {
  try {
    const model = await connect(url, {
      noDelay: true,
      keepAlive: true,
      timeout: timeoutMs,
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

function withHeartbeat(url: string, seconds: number): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(seconds));
  return parsed.href;
}

function hostOf(url: string): string {
  const { host, hostname, port, protocol } = new URL(url);
  return port === '' ? `${hostname}:${protocol === 'amqps:' ? 5671 : 5672}` : host;
}
