import { connect } from 'amqplib';
import { purgeDeadLetters } from '../dead-letters.ts';
import type { AlertDrill } from '../drill.ts';
import { amqpUrl, publish } from '../faults/poison.ts';
import { stopped } from '../inject.ts';
import { rateUntilEnded } from '../until-ended.ts';

/** Disk limit as a part of free space: low enough to alert, without a RabbitMQ alarm. */
const FREE_SPACE_FACTOR = 0.7;

export const deadLettered: AlertDrill = {
  number: 42,
  name: 'a poison message is published',
  on: 'alerts',
  alerts: ['DeadLetters'],
  fault: async (stack, ending) => {
    ending.defer(() => purgeDeadLetters(stack));
    const connection = await connect(amqpUrl(stack));
    const channel = await connection.createConfirmChannel();
    // Not through the exchange: the message would stay in the fact log.
    await publish(channel, '', 'user-api', '[]');
    await connection.close();
  },
};

export const diskLow: AlertDrill = {
  number: 43,
  name: 'RabbitMQ’s disk fills up',
  on: 'alerts',
  alerts: ['RabbitmqDiskLow'],
  fault: async ({ compose, prometheus }, ending) => {
    const limit = (bytes: number) =>
      compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'set_disk_free_limit', bytes.toFixed(0));
    const usual = await prometheus.value('rabbitmq_disk_space_available_limit_bytes');
    const free = await prometheus.value('rabbitmq_disk_space_available_bytes');
    ending.defer(async () => {
      await limit(usual);
    });
    await limit(FREE_SPACE_FACTOR * free);
  },
};

export const memoryAlarm: AlertDrill = {
  number: 52,
  name: 'RabbitMQ has used up its memory',
  on: 'alerts',
  alerts: ['RabbitmqAlarm'],
  fault: async ({ compose }, ending) => {
    const watermark = (...words: string[]) =>
      compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'set_vm_memory_high_watermark', ...words);
    ending.defer(async () => {
      await watermark('0.6');
    });
    await watermark('absolute', '1MB');
  },
};

export const brokerStopped: AlertDrill = {
  number: 51,
  name: 'RabbitMQ is down while users rate',
  on: 'alerts',
  alerts: ['RabbitmqUnreachable', 'ServiceNotReady', 'OutboxLag'],
  fault: async (stage, ending) => {
    await rateUntilEnded(stage, ending);
    await stopped('rabbitmq')(stage, ending);
  },
};
