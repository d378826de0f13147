import { StartupError, messageOf } from '@lobbystats/contracts/errors';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { resolveWithin, withTimeout } from '../../concurrency/index.ts';

const HEARTBEAT_S = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RECONNECT_DELAY_MS = 3000;
const CLOSE_TIMEOUT_MS = 3000;
/** A server that is starting refuses users for seconds. */
const REFUSED_MS = 15_000;

interface BrokerConnectionOptions {
  readonly waitMs: number;
  /** The server has refused the user of a lost connection for {@link REFUSED_MS}. */
  readonly onRefused?: (error: Error) => void;
  readonly heartbeatS?: number;
}

/** A connection that amqplib makes again when it is lost. */
export class BrokerConnection {
  readonly #recovering: RecoveringChannelModel;
  #connected = Promise.withResolvers<ChannelModel>();
  #failure: unknown;
  #isBlocked = false;

  private constructor(recovering: RecoveringChannelModel) {
    this.#recovering = recovering;
    recovering.on('connect', (model) => {
      this.#failure = undefined;
      this.#isBlocked = false;
      this.#connected.resolve(model);
    });
    recovering.on('disconnect', (error) => {
      this.#failure = error;
      this.#connected = Promise.withResolvers();
    });
    recovering.on('connect-failed', (error) => (this.#failure = error));
    recovering.on('blocked', () => (this.#isBlocked = true));
    recovering.on('unblocked', () => (this.#isBlocked = false));
    // `disconnect` follows.
    recovering.on('error', () => undefined);
  }

  /**
   * Resolves when it is connected for the first time.
   *
   * @throws StartupError when the server refuses the user or the vhost, or doesn't come up within `waitMs`
   */
  static async open(url: string, name: string, options: BrokerConnectionOptions): Promise<BrokerConnection> {
    const { waitMs, onRefused = () => undefined, heartbeatS = HEARTBEAT_S } = options;
    const recovering = await connect(withHeartbeat(url, heartbeatS), {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { connection_name: name },
      recovery: { maxDelay: MAX_RECONNECT_DELAY_MS, waitForConnect: false },
    });
    const connection = new BrokerConnection(recovering);
    const first = Promise.withResolvers<BrokerConnection | StartupError>();
    let refusedAtMs: number | undefined;
    recovering.on('connect', () => {
      refusedAtMs = undefined;
      first.resolve(connection);
    });
    recovering.on('connect-failed', (error) => {
      const refusal = refusalOf(url, error.message);
      if (refusal === undefined) refusedAtMs = undefined;
      else if (performance.now() - (refusedAtMs ??= performance.now()) >= REFUSED_MS) onRefused(refusal);
      if (refusal !== undefined) first.resolve(refusal);
    });
    const opened = await resolveWithin(first.promise, waitMs);
    if (opened instanceof BrokerConnection) return opened;
    await connection.close();
    const cause = connection.failure;
    throw opened ?? new StartupError(`RabbitMQ at ${hostOf(url)} can't be reached: ${messageOf(cause)}`, { cause });
  }

  /** Why there is no connection now. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The broker's memory or disk alarm, which only publishers see. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** @throws AppError `unavailable` after 5 s without a connection */
  async createChannel(): Promise<Channel> {
    return (await within5Seconds(() => this.#connected.promise)).createChannel();
  }

  /** @throws AppError `unavailable` after 5 s without a connection */
  async createConfirmChannel(): Promise<ConfirmChannel> {
    return (await within5Seconds(() => this.#connected.promise)).createConfirmChannel();
  }

  /** Waits at most 3 s. */
  async close(): Promise<void> {
    await resolveWithin(this.#recovering.close(), CLOSE_TIMEOUT_MS);
  }
}

const within5Seconds = withTimeout(5000, 'The message bus is not available');

function refusalOf(url: string, message: string): StartupError | undefined {
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
