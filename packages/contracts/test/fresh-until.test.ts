import { allOperations, freshUntil, operations, tags, tagsOf } from '../src/index.ts';

const sharedReads = allOperations.filter(
  ({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required',
);
const untilOf = (groups: readonly string[]) =>
  new Set(sharedReads.filter(({ group }) => groups.includes(group)).map(({ tags: own }) => freshUntil(own)));

describe('how long responses are fresh', () => {
  it('is until the next slot, if they show counts, matches and titles alone', () => {
    expect(untilOf(['Site', 'Online', 'Matches', 'Games'])).toEqual(new Set(['slot']));
  });

  it('is until the next fact, if they show what changes between slots', () => {
    expect(untilOf(['Leaderboards', 'Search', 'Events', 'Achievements'])).toEqual(new Set(['fact']));
  });

  it('is until the next write, if users write them', () => {
    const ofUsers = sharedReads.filter(({ params, query }) => 'username' in { ...params.shape, ...query.shape });
    expect(new Set(ofUsers.map(({ tags: own }) => freshUntil(own)))).toEqual(new Set(['write']));
  });

  it('is as long as for the tag that changes most freely', () => {
    expect(freshUntil([])).toBe('slot');
    expect(freshUntil([tags.slots, tags.title('4d530064')])).toBe('slot');
    expect(freshUntil([tags.slots, tags.boards('4d530064')])).toBe('fact');
    expect(freshUntil([tags.everyBoard, tags.user('slots')])).toBe('write');
  });
});

describe('cache tags of a response', () => {
  it('are those of its operations, with the parameters of its path', () => {
    const asked = [operations.getLeaderboard, operations.getGame, operations.getReputation];
    expect(tagsOf(asked, { titleId: '4d530064', username: 'Ember  Fox' })).toEqual([
      tags.boards('4d530064'),
      tags.title('4d530064'),
      tags.reputation('ember fox'),
    ]);
  });

  it('name parameters that the path has', () => {
    const unknown = allOperations.flatMap(({ id, params, tags: own }) =>
      own.filter((tag) => tag.includes('::') && !((tag.split('::')[1] ?? '') in params.shape)).map((tag) => [id, tag]),
    );
    expect(unknown).toEqual([]);
  });
});
