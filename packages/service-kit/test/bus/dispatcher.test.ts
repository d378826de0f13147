import { pageRequested } from '@lobbystats/contracts';
import { handleBatch } from '../../src/bus/index.ts';
import { noHooks } from '../../src/bus/bus-hooks.ts';
import { resolveConsumerSettings } from '../../src/bus/consumer-settings.ts';
import type { Delivery } from '../../src/bus/dispatch.ts';
import { Dispatcher } from '../../src/bus/dispatcher.ts';
import { Recorder, Gate } from './recorder.ts';
import { numberOf, ORIGIN, page, QUEUE, rawBody, ignoreBoards } from './samples.ts';

/** A delivery that records how it was settled. */
function deliveryOf(number: number, past: boolean, settled: Recorder<string>): Delivery {
  const settle = (how: string) => () => settled.add(`${number} ${how}`);
  return {
    body: rawBody({ data: page(number), past }),
    attempt: 1,
    expiresAtMs: undefined,
    ack: settle('ack'),
    retry: settle('retry'),
    deadLetter: settle('dead'),
    release: settle('release'),
  };
}

describe('a dispatcher', () => {
  const settled = new Recorder<string>();
  const calls = new Recorder<number[]>();
  const gate = new Gate();
  const handler = handleBatch(pageRequested, 2, async (messages) => {
    calls.add(messages.map(numberOf));
    await gate.opened;
    if (messages.length > 1) throw new Error('too many');
  });
  const dispatcher = new Dispatcher({
    settings: resolveConsumerSettings({ queue: QUEUE, handlers: [handler, ignoreBoards] }),
    origin: ORIGIN,
    hooks: noHooks,
    clock: Date.now,
  });

  it('lets live messages overtake past ones, and releases unstarted messages on stop', async () => {
    for (const number of [1, 2, 3, 4]) dispatcher.deliver(deliveryOf(number, true, settled));
    await calls.waitForCount(1);
    for (const number of [5, 6, 7]) dispatcher.deliver(deliveryOf(number, false, settled));
    gate.open();
    await settled.waitForCount(2);
    await calls.waitForCount(4);
    const stopping = dispatcher.stop();
    dispatcher.deliver(deliveryOf(8, false, settled));
    await stopping;
    expect(calls.items.slice(0, 4)).toEqual([[1, 2], [1], [2], [5, 6]]);
    // The second batch failed while stopping: it isn't run again one by one.
    expect(settled.items).toEqual([
      '1 ack',
      '2 ack',
      ...['7', '3', '4', '8'].map((number) => `${number} release`),
      ...['5', '6'].map((number) => `${number} release`),
    ]);
    expect(calls.items).toHaveLength(4);
  });
});
