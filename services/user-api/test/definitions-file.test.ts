import { StartupError } from '@lobbystats/contracts/errors';
import { userApi } from '../src/service.ts';
import { parseDefinitions, readDefinitionsFile } from '../src/definitions/definitions.node.ts';
import { ERASURE_KEY } from './running-user-api.ts';

const group = { groupId: 'harbor-racing', titleId: '4D530064', displayName: 'Harbor Racing', imageUrl: '/icons/a.svg' };
const site = { groupId: 'site', titleId: null, displayName: 'Site', imageUrl: '' };
const achievement = {
  id: 2,
  key: 'first-hour',
  name: 'First Hour',
  description: 'Play for an hour.',
  points: 10,
  groupId: 'site',
  rule: { kind: 'play-minutes', minutes: 60 },
};
const ofGame = {
  ...achievement,
  id: 1,
  key: 'at-sea',
  groupId: 'harbor-racing',
  isHidden: true,
  rule: { kind: 'play-minutes-in-title', titleId: '4d530064', minutes: 60 },
};
const file = { groups: [group, site], achievements: [achievement, ofGame] };

function faultsOf(json: unknown): string[] {
  try {
    parseDefinitions(JSON.stringify(json), 'the file');
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    const [first, ...faults] = (error as Error).message.split('\n  ');
    expect(first).toBe("the file can't be used:");
    return faults;
  }
  return [];
}

describe('achievement definitions file', () => {
  it('may name a picture for an achievement by its path on this site, and no other address', () => {
    const pictured = (picture: string) => ({ ...file, achievements: [{ ...achievement, picture }, ofGame] });
    const parsed = parseDefinitions(JSON.stringify(pictured('/pictures/first-hour.png')), 'the file');
    expect(parsed.all.map(({ picture }) => picture)).toEqual([undefined, '/pictures/first-hour.png']);
    for (const address of [
      'https://elsewhere.example/a.png',
      '//elsewhere.example/a.png',
      '/\\\\elsewhere',
      '/a?b',
      '',
    ])
      expect(faultsOf(pictured(address))).toEqual([
        'achievements[0].picture must be a path of this site such as /icon/4d530064',
      ]);
  });

  it('is parsed with achievements sorted by id and groups in file order', () => {
    const { all, groups } = parseDefinitions(JSON.stringify(file), 'the file');
    const game = { ...group, titleId: '4d530064' };
    expect(groups).toEqual([game, site]);
    expect(all).toEqual([
      { ...withoutGroupId(ofGame), group: game },
      { ...withoutGroupId(achievement), isHidden: false, group: site },
    ]);
  });

  it('has a digest of its content that ignores formatting', () => {
    const digest = (json: unknown, space?: number) => parseDefinitions(JSON.stringify(json, null, space), 'it').digest;
    const turned = {
      achievements: [ofGame, Object.fromEntries(Object.entries(achievement).reverse())],
      groups: file.groups,
    };
    expect(digest(turned, 2)).toBe(digest(file));
    expect(digest({ ...file, achievements: [{ ...achievement, points: 15 }, ofGame] })).not.toBe(digest(file));
    expect(digest({ ...file, groups: [site, group] })).not.toBe(digest(file));
  });

  it('is rejected with all faults at once, each with its path', () => {
    const faults = faultsOf({
      groups: [
        group,
        { ...site, imageUrl: '//elsewhere.example/a.png', colour: 'red' },
        { ...site, titleId: 'none' },
        5,
      ],
      achievements: [
        { ...achievement, id: 0, points: 1.5, extra: 1, __proto__: null },
        { ...ofGame, rule: { kind: 'play-minutes-in-title', titleId: '4e4c0002', minutes: 0 } },
        { ...achievement, id: 1, name: '', rule: { kind: 'sleep' } },
        { id: 9, groupId: 'nowhere', key: 'hidden-4' },
      ],
      version: 1,
    });
    expect(faults).toEqual([
      'groups[1].imageUrl must be a path of the network such as /icons/4d530064.png, or ""',
      'groups[1].colour is not known',
      'groups[2].titleId must be 8 hexadecimal digits',
      'groups[3] must be an object',
      'achievements[0].id must be an integer from 1 to 2147483647',
      'achievements[0].points must be an integer from 0 to 1000',
      'achievements[0].extra is not known',
      'achievements[1].rule.minutes must be an integer from 1 to 100000000',
      'achievements[2].name must be a text of 1 to 80 characters',
      'achievements[2].rule.kind must be a known kind of rule',
      'achievements[3].key must not look like the key of a hidden one',
      'achievements[3].name must be a text of 1 to 80 characters',
      'achievements[3].description must be a text of 1 to 240 characters',
      'achievements[3].points must be an integer from 0 to 1000',
      'achievements[3].rule must be an object',
      'version is not known',
      'groups[2].groupId is that of groups[1] already',
      'achievements[2].id is that of achievements[1] already',
      'achievements[2].key is that of achievements[0] already',
      'achievements[1].rule.titleId must be that of the group',
      'achievements[3].groupId names no group',
    ]);
  });

  it.each([
    ['null', null, 'the file must be an object'],
    ['a list', [], 'the file must be an object'],
    ['no achievements', { groups: [] }, 'achievements must be a list'],
    ['a group without achievements', { ...file, achievements: [ofGame] }, 'groups[1] has no achievements'],
  ])('is rejected when it is %s', (_, json, fault) => {
    expect(faultsOf(json)).toEqual([fault]);
  });

  it('is rejected by name when it is not JSON or does not exist', async () => {
    expect(() => parseDefinitions('{', 'the file')).toThrow(/^the file isn't JSON: /);
    await expect(readDefinitionsFile('/nowhere/achievements.json')).rejects.toThrow(
      /^the achievements' definitions can't be read: .*\/nowhere\/achievements\.json/,
    );
  });

  it('allows a rule for any title in a group without a title, and rules without a title in any group', () => {
    const rules = [
      { ...achievement, rule: ofGame.rule },
      { ...ofGame, rule: achievement.rule },
    ];
    expect(faultsOf({ ...file, achievements: rules })).toEqual([]);
  });
});

describe('bundled achievement definitions', () => {
  it('cover every kind of rule, have unique names and include hidden ones', async () => {
    const { ACHIEVEMENTS_FILE } = userApi.readConfig({ ERASURE_KEY });
    const { all } = await readDefinitionsFile(ACHIEVEMENTS_FILE);
    expect(all.length).toBeGreaterThanOrEqual(45);
    expect(new Set(all.map(({ rule }) => rule.kind))).toEqual(
      new Set([
        'play-minutes',
        'play-minutes-in-title',
        'titles-played',
        'leaderboard-rank',
        'leaderboards-on',
        'ratings-given',
        'sessions-hosted',
      ]),
    );
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.filter(({ isHidden }) => isHidden).length).toBeGreaterThanOrEqual(5);
    expect(all.filter(({ points }) => points % 5 !== 0)).toEqual([]);
  });
});

function withoutGroupId<Given extends { groupId: string }>({ groupId: _, ...others }: Given) {
  return others;
}
