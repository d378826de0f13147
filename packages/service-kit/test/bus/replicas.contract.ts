import type { Leadership, MessageBus, Replica, Subscription } from '@lobbystats/service-kit/bus';
import { eventually } from '@lobbystats/test-kit';
import type { BusFixture, CreateFixture } from './bus-fixture.ts';

export function replicasContract(createFixture: CreateFixture): void {
  describe('replicas that share work', () => {
    let fixture: BusFixture;
    let bus: MessageBus;
    let leaders: { name: string; leadership: Leadership }[];
    let worked: string[];
    beforeEach(async () => {
      fixture = await createFixture();
      bus = await fixture.open();
      [leaders, worked] = [[], []];
    });
    afterEach(() => fixture.remove());

    const join = (name: string, work: Replica['work'] = (job) => Promise.resolve(job)): Promise<Subscription> =>
      bus.join({
        work: (job, context) => {
          worked.push(name);
          return work(job, context);
        },
        lead: (leadership) => {
          leaders.push({ name, leadership });
          return new Promise((resolve) => leadership.signal.addEventListener('abort', () => resolve()));
        },
      });
    const leader = async (count = 1): Promise<Leadership> => {
      await eventually(() => expect(leaders).toHaveLength(count));
      return leaders[count - 1]!.leadership;
    };

    it('one leads, and another one once it has left', async () => {
      const subscriptions = new Map<string, Subscription>();
      for (const name of ['ada', 'bob']) subscriptions.set(name, await join(name));
      const first = await leader();
      await first.confirm();
      expect(leaders).toHaveLength(1);
      await subscriptions.get(leaders[0]?.name ?? '')?.stop();
      expect(first.signal.aborted).toBe(true);
      await expect(first.confirm()).rejects.toThrow();
      const second = await leader(2);
      await second.confirm();
      expect(new Set(leaders.map((each) => each.name))).toEqual(new Set(['ada', 'bob']));
    });

    it('a job of the leader’s is done by a replica, which answers with JSON', async () => {
      await join('ada', async (job, { expectFresh, begun }) => {
        expectFresh();
        begun();
        await Promise.resolve();
        return { did: job };
      });
      const { begun, done } = (await leader()).assign({ page: 7 }, 1000);
      await begun;
      expect(await done).toEqual({ did: { page: 7 } });
    });

    it('a job that fails rejects, and later ones are done', async () => {
      await join('ada', (job) => (job === 'bad' ? Promise.reject(new Error('no such page')) : Promise.resolve(job)));
      const leadership = await leader();
      await expect(leadership.assign('bad', 1000).done).rejects.toThrow(/no such page/);
      expect(await leadership.assign('good', 1000).done).toBe('good');
      expect(worked).toEqual(['ada', 'ada']);
    });

    it('a job that runs when its leader leaves is aborted', async () => {
      let aborted = false;
      const subscription = await join('ada', async (_, { signal, begun }) => {
        begun();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        aborted = true;
      });
      const { begun, done } = (await leader()).assign('long', 60_000);
      const outcome = done.then(
        () => 'done',
        () => 'lost',
      );
      await begun;
      await subscription.stop();
      await outcome;
      expect(aborted).toBe(true);
    });
  });
}
