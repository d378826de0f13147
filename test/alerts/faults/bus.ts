import { connect } from 'amqplib';
import { RatingStorm } from '../../../services/standalone/test/rating-storm.ts';
import { purgeDeadLetters } from '../../drills/faults/dead-letters.ts';
import { freshSessions } from '../../drills/faults/fresh-sessions.ts';
import { knownNames } from '../../drills/faults/known-names.ts';
import { amqpUrl, publish } from '../../drills/faults/poison.ts';
import { stop, type AlertFault, type AlertStage } from '../alert-fault.ts';

const RATERS = 4;
const RATED = 12;
/** Above what is free less than twice, below what is free: low, and no alarm. */
const LIMIT_OF_FREE = 0.7;

export const poison: AlertFault = {
  name: 'a message comes that nobody can read',
  raises: ['DeadLetters'],
  begin: async ({ stack }, mending) => {
    mending.defer(() => purgeDeadLetters(stack));
    const connection = await connect(amqpUrl(stack));
    const channel = await connection.createConfirmChannel();
    // Not by the exchange: it would stay in the log.
    await publish(channel, '', 'user-api', '[]');
    await connection.close();
  },
};

export const diskLow: AlertFault = {
  name: 'RabbitMQ’s disk fills up',
  raises: ['RabbitmqDiskLow'],
  begin: async ({ stack, prometheus }, mending) => {
    const limit = (bytes: number) =>
      stack.compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'set_disk_free_limit', bytes.toFixed(0));
    const usual = await prometheus.value('rabbitmq_disk_space_available_limit_bytes');
    const free = await prometheus.value('rabbitmq_disk_space_available_bytes');
    mending.defer(async () => {
      await limit(usual);
    });
    await limit(LIMIT_OF_FREE * free);
  },
};

export const noMemory: AlertFault = {
  name: 'RabbitMQ has used up its memory',
  raises: ['RabbitmqAlarm'],
  begin: async ({ stack }, mending) => {
    const watermark = (...words: string[]) =>
      stack.compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'set_vm_memory_high_watermark', ...words);
    mending.defer(async () => {
      await watermark('0.6');
    });
    await watermark('absolute', '1MB');
  },
};

export const brokerAway: AlertFault = {
  name: 'RabbitMQ is away, and people rate',
  raises: ['RabbitmqUnreachable', 'ServiceNotReady', 'OutboxLag'],
  begin: async (stage, mending) => {
    await rate(stage, mending);
    await stop(stage, mending, 'rabbitmq');
  },
};

/** Rates people until the fault is mended. */
export async function rate({ stack }: AlertStage, mending: AsyncDisposableStack): Promise<void> {
  const raters = (await freshSessions(stack)).slice(0, RATERS);
  const storm = new RatingStorm(raters, await knownNames(stack, RATED));
  mending.defer(() => storm.stop());
  storm.at(stack.url);
}
