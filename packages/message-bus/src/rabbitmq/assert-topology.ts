import { StartupError, messageOf } from '@lobbystats/errors';
import type { ChannelModel } from 'amqplib';
import { withChannel } from './reconnecting-channel.ts';

export interface RequiredTopology {
  readonly exchanges: readonly string[];
  readonly queues: readonly string[];
}

/**
 * Checks that the broker was provisioned; names what is missing.
 *
 * @throws StartupError that names what is missing and what to do
 */
export async function assertTopology(model: ChannelModel, { exchanges, queues }: RequiredTopology): Promise<void> {
  await withChannel(model, async (channel) => {
    for (const name of exchanges) await assertExists(`the exchange ${name}`, channel.checkExchange(name));
    for (const name of queues) await assertExists(`the queue ${name}`, channel.checkQueue(name));
  });
}

async function assertExists(what: string, check: Promise<unknown>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw new StartupError(
      `RabbitMQ is not prepared for this release: ${what} is missing or not accessible. Run the init job ` +
        `(docker compose run --rm init), then start again: ${messageOf(error).slice(0, 300)}`,
      { cause: error },
    );
  }
}
