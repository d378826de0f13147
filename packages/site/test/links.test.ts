import { linkedGame, linkedPlayer, links } from '../src/links.ts';

it.each(['Ember Fox', '.', '..', 'a.b', '%2e', 'Été'])('a link to the player %j leads to them', (name) => {
  const { pathname } = new URL(links.player(name), 'http://site.example');
  expect(linkedPlayer(pathname)).toBe(name);
});

it.each(['/u/fox/more', '/u/', '/game/fox'])('%s leads to no player', (pathname) => {
  expect(linkedPlayer(pathname)).toBeUndefined();
});

it.each([links.game('4d530064'), links.game('4d530064', { range: '7d' }), links.leaderboard('4d530064', 7)])(
  'the link %s leads to a game',
  (path) => {
    expect(linkedGame(path)).toBe('4d530064');
  },
);

it.each([
  '/game/Harbor%20Racing',
  '/game/4d530064abc',
  '/game/../icon',
  '/u/4d530064',
  'https://x.example/game/4d530064',
])('%s leads to no game of a known title ID', (path) => {
  expect(linkedGame(path)).toBeUndefined();
});
