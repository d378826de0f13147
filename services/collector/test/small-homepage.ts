import type { HomepageReading } from '../src/network/network.ts';
import { readHomepage } from './read-pages.ts';
import type { Listing, ListedTitle } from './page-builder.ts';

export const halo: ListedTitle = {
  titleId: '4d530064',
  name: 'Halo 2',
  publisher: 'Microsoft',
  online: 1234,
  sessions: 12,
  players: 57,
};
const quiet: ListedTitle = { ...halo, titleId: '41560023', name: 'Quiet', online: 0, sessions: 0, players: 0 };
/** A homepage with a game that is played, and one that is not. */
export const small: Listing = { registered: 24_409, online: 4640, titles: [halo, quiet] };

export function read(html: string): HomepageReading {
  return readHomepage(html);
}
