import { allQueues, topology } from '../../src/bus/rabbitmq/topology.ts';
import { busGrants } from '../../src/bus/rabbitmq/users.ts';

const names = (queue: string) => new RegExp(`^${queue}([.]|$)`);

describe('topology of RabbitMQ', () => {
  it('has one queue for each service by default', () => {
    const { queues, exchanges, bindings } = topology();
    const all = [...queues, ...exchanges].map(({ name }) => name);
    expect(all.filter((name) => name.startsWith('series-api-2'))).toEqual([]);
    expect(bindings.filter(({ destination }) => names('series-api-2').test(destination))).toEqual([]);
  });

  it('a second instance of series-api has queues with the same arguments', () => {
    const { queues } = topology(allQueues);
    const of = (queue: string) =>
      queues
        .filter(({ name }) => names(queue).test(name))
        .map((spec) => JSON.parse(JSON.stringify(spec).replaceAll(queue, 'series-api')) as unknown);
    expect(of('series-api-2')).toEqual(of('series-api'));
    expect(of('series-api-2')).toHaveLength(10);
  });

  it('its queue receives the same messages', () => {
    const { bindings } = topology(allQueues);
    const keysOf = (queue: string) =>
      bindings
        .filter(({ source, destination }) => destination === queue && !source.endsWith('.retry'))
        .map(({ source, routingKey }) => `${source}/${routingKey}`);
    expect(keysOf('series-api-2')).toEqual(keysOf('series-api'));
    expect(keysOf('series-api-2')).toContain('observations/slot.observed');
  });

  it('retries and dead letters of one instance do not reach the other', () => {
    const { bindings } = topology(allQueues);
    const crossing = bindings.filter(
      ({ source, destination }) =>
        source.startsWith('series-api') &&
        names('series-api-2').test(source) !== names('series-api-2').test(destination),
    );
    expect(crossing).toEqual([]);
  });

  it('series-api may consume both queues, and no other service may', () => {
    expect(busGrants('series-api').read).toEqual(['series-api', 'series-api-2']);
    expect(busGrants('catalog-api').read).toEqual(['catalog-api']);
    expect(busGrants('dlq').read).toContain('series-api-2.dead');
  });
});
