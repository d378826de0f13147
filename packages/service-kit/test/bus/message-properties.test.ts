import { allMessages, slotObserved } from '@lobbystats/contracts';
import { copiedProperties, propertiesOf } from '../../src/bus/rabbitmq/message-properties.ts';

const NOW_MS = 1_800_000_000_999;

describe('AMQP properties of a message', () => {
  it('state the content type, the routing key, the second of the publication and the producer', () => {
    expect(propertiesOf(slotObserved, { id: 'a', isLowPriority: false, nowMs: NOW_MS })).toMatchObject({
      messageId: 'a',
      contentType: 'application/json',
      type: 'slot.observed',
      timestamp: 1_800_000_000,
      appId: 'collector',
    });
  });

  it.each(allMessages)('are kept by copies of $key, such as retries and dead letters', (type) => {
    const properties = propertiesOf(type, { id: 'a', isLowPriority: true, nowMs: NOW_MS });
    const delivered = {
      ...properties,
      headers: { 'x-attempt': 3 },
      deliveryMode: 2,
      correlationId: '7',
      expiration: undefined,
    };
    expect(copiedProperties({ properties: delivered } as never)).toEqual(properties);
  });
});
