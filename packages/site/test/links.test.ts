import { linkedPlayer, links } from '../src/links.ts';

it.each(['Ember Fox', '.', '..', 'a.b', '%2e', 'Été'])('a link to the player %j leads to them', (name) => {
  const { pathname } = new URL(links.player(name), 'http://site.example');
  expect(linkedPlayer(pathname)).toBe(name);
});

it.each(['/u/fox/more', '/u/', '/game/fox'])('%s leads to no player', (pathname) => {
  expect(linkedPlayer(pathname)).toBeUndefined();
});
