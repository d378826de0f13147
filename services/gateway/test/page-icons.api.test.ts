import { links } from '@lobbystats/site/links';
import { HARBOR, network, RALLY } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway } from './running-gateway.ts';

describe('icons of games on pages', () => {
  it('stand beside each game, of a fixed size, and are decoration', async () => {
    const gateway = await runGateway({ network: network() });
    const { document } = await readPage(gateway, links.games());
    const icons = [...document.querySelectorAll('#rows-of-game tbody img')];
    expect(icons.map((icon) => icon.getAttribute('src')).sort()).toEqual(
      [HARBOR, RALLY].map(({ titleId }) => `/icon/${titleId}`).sort(),
    );
    for (const icon of icons) {
      expect(['width', 'height', 'alt', 'loading'].map((name) => icon.getAttribute(name))).toEqual([
        ...['36', '36', '', 'lazy'],
      ]);
    }
  });

  it('are large in the head of the game’s page, and loaded at once', async () => {
    const gateway = await runGateway({ network: network() });
    const { document } = await readPage(gateway, links.game(HARBOR.titleId));
    const icon = document.querySelector('.hero > .icon');
    expect(['src', 'width', 'height', 'alt', 'loading'].map((name) => icon?.getAttribute(name))).toEqual([
      ...[`/icon/${HARBOR.titleId}`, '96', '96', '', null],
    ]);
  });
});
