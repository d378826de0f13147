import { allOperations, streamEvents, streamTopicNames, streamTopics } from '@lobbystats/contracts';

describe('the live stream', () => {
  it.each(streamTopicNames.map((name) => [name, streamTopics[name]] as const))(
    'has an example of %s that fits',
    (_, { data, example }) => {
      expect(data.parse(example)).toEqual(example);
    },
  );

  it('has all topics for who asks for none', () => {
    expect(streamEvents.query.parse({})).toEqual({ topics: streamTopicNames });
  });

  it('takes topics in any order, and none that it doesn’t know', () => {
    expect(streamEvents.query.parse({ topics: 'ratings,online,ratings' }).topics).toEqual([
      'ratings',
      'online',
      'ratings',
    ]);
    for (const topics of ['', 'Online', 'online,', 'online, ratings', '__proto__']) {
      expect(streamEvents.query.safeParse({ topics }).success).toBe(false);
    }
  });

  it('is no operation that services mount', () => {
    expect(allOperations.map(({ id }) => id)).not.toContain(streamEvents.id);
    expect(allOperations.map(({ path }) => path)).not.toContain(streamEvents.path);
  });
});
