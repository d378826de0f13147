import { operations } from '@lobbystats/contracts';
import { day } from './day.ts';
import { readPage } from './page-text.ts';
import { runGateway } from './running-gateway.ts';

describe('home page', () => {
  it('shows the numbers of the API', async () => {
    const gateway = await runGateway({ network: day() });
    const page = await readPage(gateway, '/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const now = (await gateway.request(operations.getNow.path)).body as { online: number };
    expect(page.texts('.figures .value')[0]).toBe(now.online.toLocaleString('en'));
    expect(page.texts('#games tbody th')).toEqual(['Harbor Racing', 'Ärger', '1942', 'Chess']);
  });
});
