import { connect } from 'amqplib';
import { RatingLoad } from '../../standalone/rating-load.ts';
import { purgeDeadLetters } from '../../drills/faults/dead-letters.ts';
import { freshSessions } from '../../drills/faults/fresh-sessions.ts';
import { listUsernames } from '../../drills/faults/list-usernames.ts';
import { amqpUrl, publish } from '../../drills/faults/poison.ts';
import { stopService, type AlertFault, type AlertStage } from '../alert-fault.ts';

const RATERS = 4;
const PROFILES = 12;
/** Disk limit as a part of free space: low enough to alert, without a RabbitMQ alarm. */
const FREE_SPACE_FACTOR = 0.7;

export const poison: AlertFault = {
  name: 'a poison message is published',
  raises: ['DeadLetters'],
  start: async ({ stack }, mending) => {
    mending.defer(() => purgeDeadLetters(stack));
    const connection = await connect(amqpUrl(stack));
    const channel = await connection.createConfirmChannel();
    // Not through the exchange: the message would stay in the fact log.
    await publish(channel, '', 'user-api', '[]');
    await connection.close();
  },
};

export const diskLow: AlertFault = {
  name: 'RabbitMQ’s disk fills up',
  raises: ['RabbitmqDiskLow'],
  start: async ({ stack, prometheus }, mending) => {
    const limit = (bytes: number) =>
      stack.compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'set_disk_free_limit', bytes.toFixed(0));
    const usual = await prometheus.value('rabbitmq_disk_space_available_limit_bytes');
    const free = await prometheus.value('rabbitmq_disk_space_available_bytes');
    mending.defer(async () => {
      await limit(usual);
    });
    await limit(FREE_SPACE_FACTOR * free);
  },
};

export const memoryAlarm: AlertFault = {
  name: 'RabbitMQ has used up its memory',
  raises: ['RabbitmqAlarm'],
  start: async ({ stack }, mending) => {
    const watermark = (...words: string[]) =>
      stack.compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'set_vm_memory_high_watermark', ...words);
    mending.defer(async () => {
      await watermark('0.6');
    });
    await watermark('absolute', '1MB');
  },
};

export const brokerDown: AlertFault = {
  name: 'RabbitMQ is down while users rate',
  raises: ['RabbitmqUnreachable', 'ServiceNotReady', 'OutboxLag'],
  start: async (stage, mending) => {
    await rateUntilMended(stage, mending);
    await stopService(stage, mending, 'rabbitmq');
  },
};

/** Rates users until the fault ends. */
export async function rateUntilMended({ stack }: AlertStage, mending: AsyncDisposableStack): Promise<void> {
  const raters = (await freshSessions(stack)).slice(0, RATERS);
  const storm = new RatingLoad(raters, await listUsernames(stack, PROFILES));
  mending.defer(() => storm.stop());
  storm.setUrl(stack.url);
}
