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
        await leadership.ready();
        return { name, leadership };
      });

    it('one leads, and another one once it has left', async () => {
      const subscriptions = new Map<string, Subscription>();
      for (const name of ['ada', 'bob']) subscriptions.set(name, await join(name));
      const first = await leader();
      const others = leaderships.filter(({ leadership }) => leadership !== first.leadership);
      for (const { leadership } of others) expect(leadership.expectLeading).toThrow();
      await subscriptions.get(first.name)?.stop();
      expect(first.leadership.signal.aborted).toBe(true);
      expect(first.leadership.expectLeading).toThrow();
      await expect(first.leadership.ready()).rejects.toThrow();
      await until(async () => (await leader()).name !== first.name);
    });

    it('a job of the leader’s is done by a replica, which answers with JSON', async () => {
      await join('ada', (job) => Promise.resolve({ did: job }));
      expect(await leading((leadership) => leadership.ask({ page: 7 }, atOnce))).toEqual({ did: { page: 7 } });
    });

    it('a job that has no turn is not done', async () => {
      let worked = 0;
      await join('ada', async () => (worked += 1));
      const noTurn = () => Promise.reject(new Error('the deadline has passed'));
      await leading((leadership) => expect(leadership.ask('late', noTurn)).rejects.toThrow(/deadline/));
      expect(worked).toBe(0);
    });

    it('a job that fails rejects and is not repeated, and later ones are done', async () => {
      let [asked, worked] = [0, 0];
      await join('ada', (job) => {
        if (job === 'good') return Promise.resolve(job);
        worked += 1;
        return Promise.reject(new Error('no such page'));
      });
      await leading((leadership) => {
        asked += 1;
        return expect(leadership.ask('bad', atOnce)).rejects.toThrow(/no such page/);
      });
      expect(await leading((leadership) => leadership.ask('good', atOnce))).toBe('good');
      expect(worked).toBeLessThanOrEqual(asked);
    });

    it('a job that runs when its replica leaves is aborted', async () => {
      let running = 0;
      const begun = Promise.withResolvers<undefined>();
      const subscription = await join('ada', async (_, signal) => {
        running += 1;
        begun.resolve(undefined);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        running -= 1;
      });
      const lost = (await leader()).leadership.ask('long', atOnce).catch(() => undefined);
      await begun.promise;
      await subscription.stop();
      await lost;
      expect(running).toBe(0);
    });
  });
}

const atOnce = () => Promise.resolve();
