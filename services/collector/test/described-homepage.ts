import { page } from './page-builder.ts';
import { table } from './read-pages.ts';

export const COUNTERS =
  '<div><h3>24,409</h3><p>Registered Users</p></div><div><h3>2</h3><p>Games Supported</p></div>' +
  '<div><h3>481</h3><p>Users Online Now</p></div>';
export const GAMES = ['Game', 'Serial', 'Online users', 'Active players'];
export const harbor = ['<a>Harbor Six</a><br><small>Quillon</small>', 'MS-001<br>4D530001', '12', '4 in 1 session'];
export const pier = ['Old Pier', 'N/A 4d530002', '0', '-'];
export const GAMES_READ = [
  { titleId: '4d530001', name: 'Harbor Six', publisher: 'Quillon', productCode: 'MS-001', online: 12 },
  { titleId: '4d530002', name: 'Old Pier', publisher: '', productCode: '', online: 0 },
];
export const homepage = (games: string, counters = COUNTERS) => page(`${counters}<h2>Games</h2>${games}`);
export const games = table(GAMES, [harbor, pier]);
