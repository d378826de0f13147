import { allOperations, streamEvents, streamTopicNames, streamTopics } from '@lobbystats/contracts';

describe('streamEvents', () => {
  it.each(streamTopicNames.map((name) => [name, streamTopics[name]] as const))(
    'the example of topic %s matches its schema',
    (_, { data, example }) => {
      expect(data.parse(example)).toEqual(example);
    },
  );

  it('topics default to all', () => {
    expect(streamEvents.query.parse({})).toEqual({ topics: streamTopicNames });
  });

  it('topics are accepted in any order, and unknown ones are rejected', () => {
    expect(streamEvents.query.parse({ topics: 'ratings,online,ratings' }).topics).toEqual([
      'ratings',
      'online',
      'ratings',
    ]);
    for (const topics of ['', 'Online', 'online,', 'online, ratings', '__proto__']) {
      expect(streamEvents.query.safeParse({ topics }).success).toBe(false);
    }
  });

  it('the stream is not one of the mounted operations', () => {
    expect(allOperations.map(({ id }) => id)).not.toContain(streamEvents.id);
    expect(allOperations.map(({ path }) => path)).not.toContain(streamEvents.path);
  });
});
