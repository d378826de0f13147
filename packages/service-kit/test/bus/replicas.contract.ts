import type { Leadership, MessageBus, Replica, Subscription } from '@lobbystats/service-kit/bus';
import { eventually, until } from '@lobbystats/test-kit';
import type { BusFixture, CreateFixture } from './bus-fixture.ts';

export function replicasContract(createFixture: CreateFixture): void {
  describe('replicas that share work', () => {
    let fixture: BusFixture;
    let bus: MessageBus;
    let leaderships: { name: string; leadership: Leadership }[];
    beforeEach(async () => {
      fixture = await createFixture();
      bus = await fixture.open();
      leaderships = [];
    });
    afterEach(() => fixture.remove());

    const join = (name: string, work: Replica['work'] = (job) => Promise.resolve(job)): Promise<Subscription> =>
      bus.join({
        work,
        lead: (leadership) => {
          leaderships.push({ name, leadership });
          return new Promise((resolve) => leadership.signal.addEventListener('abort', () => resolve()));
        },
      });
    /** Leaders change and lose jobs when the broker is silent: what they do is tried until it succeeds. */
    const leading = <Result>(act: (leadership: Leadership, name: string) => Promise<Result>): Promise<Result> =>
      eventually(() => {
        const { name, leadership } = leaderships.at(-1)!;
        return act(leadership, name);
      });
    const leader = (): Promise<{ name: string; leadership: Leadership }> =>
      leading(async (leadership, name) => {
        await leadership.confirm();
        return { name, leadership };
      });

    it('one leads, and another one once it has left', async () => {
      const subscriptions = new Map<string, Subscription>();
      for (const name of ['ada', 'bob']) subscriptions.set(name, await join(name));
      const first = await leader();
      const others = leaderships.filter(({ leadership }) => leadership !== first.leadership);
      for (const { leadership } of others) await expect(leadership.confirm()).rejects.toThrow();
      await subscriptions.get(first.name)?.stop();
      expect(first.leadership.signal.aborted).toBe(true);
      await expect(first.leadership.confirm()).rejects.toThrow();
      await until(async () => (await leader()).name !== first.name);
    });

    it('a job of the leader’s is done by a replica, which answers with JSON', async () => {
      await join('ada', async (job, { expectFresh, begun }) => {
        expectFresh();
        begun();
        await Promise.resolve();
        return { did: job };
      });
      const result = await leading(async (leadership) => {
        const { begun, done } = leadership.assign({ page: 7 }, 1000);
        await begun;
        return done;
      });
      expect(result).toEqual({ did: { page: 7 } });
    });

    it('a job that fails rejects and is not repeated, and later ones are done', async () => {
      let [assigned, worked] = [0, 0];
      await join('ada', (job) => {
        if (job === 'good') return Promise.resolve(job);
        worked += 1;
        return Promise.reject(new Error('no such page'));
      });
      await leading((leadership) => {
        assigned += 1;
        return expect(leadership.assign('bad', 1000).done).rejects.toThrow(/no such page/);
      });
      expect(await leading((leadership) => leadership.assign('good', 1000).done)).toBe('good');
      expect(worked).toBeLessThanOrEqual(assigned);
    });

    it('a job that runs when its leader leaves is aborted', async () => {
      let running = 0;
      const subscription = await join('ada', async (_, { signal, begun }) => {
        running += 1;
        begun();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        running -= 1;
      });
      const lost = await leading(async (leadership) => {
        const { begun, done } = leadership.assign('long', 60_000);
        const outcome = done.catch(() => undefined);
        await begun;
        return { outcome };
      });
      await subscription.stop();
      await lost.outcome;
      expect(running).toBe(0);
    });
  });
}
