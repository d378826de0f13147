import { join } from 'node:path';
import { readSourcesFile, sourceForms } from '../src/network/sources.node.ts';
import { namesOfUrls } from '../src/replay/name-of-url.ts';

const example = readSourcesFile(join(import.meta.dirname, '../../../docs/network-sources.example.json'));
const parts = {
  parse: () => Promise.reject(new Error('No page is read')),
  networkUrl: 'https://a.example/site',
  publicUrl: '',
};
const board = (titleId: string, leaderboardId: number, number: number) => {
  return { page: 'board', board: { titleId, leaderboardId }, number };
};

describe('namesOfUrls', () => {
  it.each([
    ['https://a.example/site/', { page: 'home' }],
    ['https://a.example/site/games/4D530064', { page: 'game', titleId: '4d530064' }],
    ['https://b.example/site/games/4d530064/leaderboards/17?page=2', board('4d530064', 17, 2)],
    ['https://a.example/site/feeds/events.json', { page: 'events' }],
    ['https://a.example/site/feeds/players.json?since=x%20y', { page: 'players' }],
    ['https://a.example/site/games/4d53006', undefined],
    ['https://a.example/other', undefined],
  ])('names %s of the HTML site', (url, expected) => {
    expect(namesOfUrls(sourceForms({}, parts))(url)).toEqual(expected);
  });

  it.each([
    ['https://a.example/site/api/games/4d530064', { page: 'game', titleId: '4d530064' }],
    ['https://a.example/site/api/leaderboards/17?page=3', board('', 17, 3)],
    ['https://api.network.example/online?since=8', { page: 'players' }],
    ['https://a.example/site/games/4d530064', undefined],
    ['https://a.example/site/feeds/events.json', undefined],
  ])('names %s of the described sources', (url, expected) => {
    expect(namesOfUrls(sourceForms(example, parts))(url)).toEqual(expected);
  });
});
