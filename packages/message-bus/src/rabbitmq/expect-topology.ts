import { RefusalError, messageOf } from '@lobbystats/errors';
import type { ChannelModel } from 'amqplib';
import { onChannel } from './keep-channel.ts';

export interface Needs {
  readonly exchanges: readonly string[];
  readonly queues: readonly string[];
}

/**
 * Checks that the broker was provisioned; names what is missing.
 *
 * @throws RefusalError naming what isn't there, and what to do
 */
export async function expectTopology(model: ChannelModel, { exchanges, queues }: Needs): Promise<void> {
  await onChannel(model, async (channel) => {
    for (const name of exchanges) await expect(`the exchange ${name}`, channel.checkExchange(name));
    for (const name of queues) await expect(`the queue ${name}`, channel.checkQueue(name));
  });
}

async function expect(what: string, check: Promise<unknown>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw new RefusalError(
      `RabbitMQ is not prepared for this release: ${what} is not there or may not be used. Run the init job ` +
        `(docker compose run --rm init), then start again: ${messageOf(error).slice(0, 300)}`,
      { cause: error },
    );
  }
}
