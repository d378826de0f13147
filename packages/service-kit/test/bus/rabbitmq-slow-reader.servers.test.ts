import { eventually } from '@lobbystats/test-kit';
import { Recorder, Gate } from './recorder.ts';
import { RabbitMqFixture } from './rabbitmq-fixture.ts';
import { factNumberOf, publishFact } from './samples.ts';

/** The broker drops whole segments: some twenty facts each. */
const SMALL_LOG = { 'max-length-bytes': 20_000, 'stream-max-segment-size-bytes': 10_000 };
const FACTS = 1000;

describe('a reader of the RabbitMQ log that is slower than its retention', () => {
  let fixture: RabbitMqFixture;
  beforeEach(async () => {
    fixture = await RabbitMqFixture.create(undefined, SMALL_LOG);
  });
  afterEach(() => fixture.remove());

  it('receives onReset at each gap and continues with the oldest kept fact', async () => {
    const bus = await fixture.open();
    const begun = new Gate();
    const mayGoOn = new Gate();
    const happened = new Recorder<number | 'reset'>();
    await bus.readLog({
      from: 'start',
      onEntry: async ({ message }) => {
        begun.open();
        await mayGoOn.opened;
        happened.add(factNumberOf(message));
      },
      onReset: () => happened.add('reset'),
      onFault: (error) => {
        throw error;
      },
    });
    await publishFact(bus, 1);
    await begun.opened;
    for (let number = 2; number <= FACTS; number += 1) await publishFact(bus, number);
    mayGoOn.open();
    await eventually(() => expect(happened.items.at(-1)).toBe(FACTS));

    const { items } = happened;
    expect(items[0]).toBe(1);
    const numbers = items.filter((what) => what !== 'reset');
    expect(numbers.length).toBeLessThan(FACTS);
    const gapsWithoutReset = items.filter((what, index) => {
      const before = items[index - 1];
      return typeof what === 'number' && typeof before === 'number' && what !== before + 1;
    });
    expect(gapsWithoutReset).toEqual([]);
    expect(items).toContain('reset');
  });
});
