import { allOperations, freshUntil, freshUntilOf, tags } from '../src/index.ts';

const sharedReads = allOperations.filter(
  ({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required',
);
const untilOf = (groups: readonly string[]) =>
  new Set(sharedReads.filter(({ group }) => groups.includes(group)).map(freshUntilOf));

describe('how long responses are fresh', () => {
  it('is until the next slot, if they show counts, matches and titles alone', () => {
    expect(untilOf(['Site', 'Online', 'Matches', 'Games'])).toEqual(new Set(['slot']));
  });

  it('is until the next fact, if they show what changes between slots', () => {
    expect(untilOf(['Leaderboards', 'Search', 'Events', 'Achievements'])).toEqual(new Set(['fact']));
  });

  it('is until the next write, if users write them', () => {
    const ofUsers = sharedReads.filter(({ params, query }) => 'username' in { ...params.shape, ...query.shape });
    expect(new Set(ofUsers.map(freshUntilOf))).toEqual(new Set(['write']));
  });

  it('is as long as for the tag that changes most freely', () => {
    expect(freshUntil([])).toBe('slot');
    expect(freshUntil([tags.slots, tags.title('4d530064')])).toBe('slot');
    expect(freshUntil([tags.slots, tags.boards('4d530064')])).toBe('fact');
    expect(freshUntil([tags.everyBoard, tags.user('slots')])).toBe('write');
  });
});
