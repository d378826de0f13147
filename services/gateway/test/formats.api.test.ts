import { allOperations, operations, rowMediaTypes, type Operation, type RowFormat } from '@lobbystats/contracts';
import { notFound, route } from '@lobbystats/service-kit';
import { HARBOR, NEWEST, catalogRoutes, network } from './network.ts';
import { readCsv } from './read-csv.ts';
import { runGateway, startRawUpstream, startStubUpstream, type RunningGateway } from './running-gateway.ts';
import { fillPath, sampleRequest } from './sample-request.ts';

const downloads = allOperations.filter(({ audience, rows }) => audience === 'public' && rows !== undefined);
const operationsWithoutRows = allOperations.filter(({ audience, rows, session }) => {
  return audience === 'public' && rows === undefined && session === 'none';
});
const rowFormats = Object.keys(rowMediaTypes) as RowFormat[];

const SERIES = operations.getOnlineSeries.path;
const BOARD_17 = fillPath(operations.getLeaderboard.path);

/** The rows of a JSON response. */
const rowsIn = ({ rows }: Operation, body: unknown) =>
  rows === '' ? (body as unknown[]) : (body as Record<string, unknown[]>)[String(rows)]!;

function inFormat(path: string, format: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}format=${format}`;
}

/** The expected cell of a field; no field here needs escaping. */
function cellOf(row: unknown, name: string): string {
  if (typeof row === 'string') return row;
  return String((row as Record<string, string | number | boolean | null>)[name] ?? '');
}

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

const upstreamUrls = () =>
  [gateway.series, gateway.catalog, gateway.users].flatMap(({ requests }) => requests).map(({ url }) => url);

beforeEach(() => {
  for (const { requests } of [gateway.series, gateway.catalog, gateway.users]) requests.length = 0;
});

describe.each(downloads)('download of $id', (operation) => {
  const [path] = sampleRequest(operation);

  it('is CSV with a header and one line per row', async () => {
    const { body } = await gateway.request(path);
    const { status, headers, text } = await gateway.request(inFormat(path, 'csv'));
    expect([status, headers['content-type']]).toEqual([200, rowMediaTypes.csv]);
    const [header = [], ...lines] = readCsv(text);
    const cells = rowsIn(operation, body).map((row) => header.map((name) => cellOf(row, name)));
    expect(header.length).toBeGreaterThan(0);
    expect(lines).toEqual(cells);
  });

  it('is NDJSON with one line per row', async () => {
    const { body } = await gateway.request(path);
    const { status, headers, text } = await gateway.request(inFormat(path, 'ndjson'));
    expect([status, headers['content-type']]).toEqual([200, rowMediaTypes.ndjson]);
    expect(text).toBe(
      rowsIn(operation, body)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    );
  });

  it.each(rowFormats)('has a file name as %s', async (format) => {
    const { headers } = await gateway.request(inFormat(path, format));
    expect(headers['content-disposition']).toMatch(new RegExp(`^attachment; filename="[A-Za-z0-9-]+\\.${format}"$`));
  });

  it('is requested as JSON, without the format parameter, from the upstream', async () => {
    await gateway.request(path);
    await gateway.request(inFormat(path, 'csv'));
    const [one, other] = upstreamUrls();
    expect(other).toBe(one);
    expect(one).not.toContain('format');
  });
});

describe.each(downloads.filter(({ gamePath }) => gamePath !== undefined))(
  'download of $id by game name',
  (operation) => {
    it.each(rowFormats)('equals the download by title ID, headers included: %s', async (format) => {
      const byTitle = await gateway.request(`${fillPath(operation.path)}?format=${format}`);
      const byName = await gateway.request(`${fillPath(String(operation.gamePath))}?format=${format}`);
      expect(byName.text).toBe(byTitle.text);
      for (const name of ['content-type', 'content-disposition', 'etag', 'link']) {
        expect([name, byName.headers[name]]).toEqual([name, byTitle.headers[name]]);
      }
    });
  },
);

describe('format parameter', () => {
  it.each(['xml', 'CSV', '', 'csv&format=csv', 'json&format=json', '%00'])('rejects %j', async (format) => {
    const { status, body } = await gateway.request(`${SERIES}?format=${format}`);
    expect([status, body]).toEqual([400, { error: 'format must be one of json, csv, ndjson' }]);
    expect(upstreamUrls()).toEqual([]);
  });

  it('defaults to JSON and ignores the Accept header', async () => {
    const plain = await gateway.request(SERIES);
    for (const [query, accept] of [
      ['?format=json', '*/*'],
      ['', 'text/csv'],
      ['', 'application/x-ndjson, */*;q=0'],
    ]) {
      const answer = await gateway.request(`${SERIES}${query}`, { headers: { accept } });
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([200, plain.text, plain.headers.etag]);
      expect(answer.headers['content-disposition']).toBeUndefined();
    }
    const csv = await gateway.request(`${SERIES}?format=csv`, { headers: { accept: 'application/json' } });
    expect(csv.headers['content-type']).toBe(rowMediaTypes.csv);
  });

  it.each(operationsWithoutRows)('is ignored by $id, which has no rows', async (operation) => {
    const [path, options] = sampleRequest(operation);
    const response = await gateway.request(`${path}${path.includes('?') ? '&' : '?'}format=csv`, options);
    const plain = await gateway.request(path, options);
    expect([response.status, response.text]).toEqual([200, plain.text]);
    expect(response.headers['content-type']).toBe(plain.headers['content-type']);
  });

  it('is kept in the link to the next page', async () => {
    const path = fillPath(operations.getMatchHistory.path);
    const { headers } = await gateway.request(`${path}?limit=10&format=csv`);
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
    const { searchParams } = new URL(next, gateway.url + path);
    expect(Object.fromEntries(searchParams)).toEqual({ hours: '24', limit: '10', offset: '10', format: 'csv' });
  });

  it('has its own ETag, and the Last-Modified and max-age of JSON', async () => {
    const json = await gateway.request(SERIES);
    const tags = new Set([json.headers.etag]);
    for (const format of rowFormats) {
      const path = `${SERIES}?format=${format}`;
      const { headers } = await gateway.request(path);
      tags.add(headers.etag);
      for (const name of ['last-modified', 'cache-control', 'vary', 'access-control-allow-origin']) {
        expect([name, headers[name]]).toEqual([name, json.headers[name]]);
      }
      const known = await gateway.request(path, { headers: { 'If-None-Match': headers.etag } });
      expect([known.status, known.text, known.headers['content-disposition']]).toEqual([304, '', undefined]);
      const head = await gateway.request(path, { method: 'HEAD' });
      expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', rowMediaTypes[format]]);
      expect(head.headers['content-length']).toBe(headers['content-length']);
    }
    expect(tags.size).toBe(3);
  });

  it('does not apply to errors, which stay JSON', async () => {
    const { status, headers, body } = await gateway.request(`${BOARD_17}8?format=csv`);
    expect([status, body]).toEqual([404, { error: 'Unknown leaderboard' }]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-disposition']).toBeUndefined();
  });

  it('names the file by title ID, even for a request by game name', async () => {
    const path = String(operations.getLeaderboard.gamePath).replace(':leaderboardId', '0017');
    const { headers } = await gateway.request(`${fillPath(path)}?format=csv`);
    expect(headers['content-disposition']).toBe(`attachment; filename="${HARBOR.titleId}-leaderboard-17.csv"`);
  });
});

describe('CSV of a bucketed series', () => {
  it('has min and max columns, even without points', async () => {
    const known = network({
      online: [],
      lobbies: [{ recorded_at: '2027-01-15 08:00:00', lobby_count: 2, min: 1, max: 4 }],
    });
    const bucketed = await runGateway({ network: known });
    const lines = async ({ path }: Operation, query: string) =>
      (await bucketed.request(`${path}?format=csv${query}`)).text;
    expect(await lines(operations.getOnlineSeries, '')).toBe('recorded_at,online_count\r\n');
    expect(await lines(operations.getOnlineSeries, '&resolution=60')).toBe('recorded_at,online_count,min,max\r\n');
    expect(await lines(operations.getLobbySeries, '&resolution=30')).toBe(
      'recorded_at,lobby_count,min,max\r\n2027-01-15 08:00:00,2,1,4\r\n',
    );
  });
});

describe('leaderboard larger than the buffer', () => {
  const ENTRIES = 12_000;
  const HOSTILE = ['=cmd|"/c calc"!A1', 'a,b', '\u2028"', '-Ember', '@Fox', 'two\r\nlines', '__proto__'];
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    rank: `${index + 1}`,
    name: `${HOSTILE[index % 50] ?? 'Ember Fox'} ${index}`,
    rating: '00:49.300',
    timeMs: 49_300,
    timeFormatted: '0:49.300',
    isTime: true,
  }));
  const COLUMNS = ['rank', 'name', 'rating', 'timeMs', 'timeFormatted', 'isTime'] as const;
  const cells = entries.map((entry) =>
    COLUMNS.map((name) => `${/^[=\-@]/.test(String(entry[name])) ? "'" : ''}${entry[name]}`),
  );

  let large: RunningGateway;

  beforeAll(async () => {
    const routes = catalogRoutes(network(), [
      route(operations.getLeaderboard, async ({ params: { titleId, leaderboardId } }) => {
        if (leaderboardId !== 17) throw notFound('leaderboard');
        const body = { titleId, gameName: HARBOR.name, leaderboardId: '17', name: 'Old Pier', entries, total: ENTRIES };
        return { body, lastModified: NEWEST };
      }),
    ]);
    const catalog = await startStubUpstream(routes, 'file');
    large = await runGateway({ env: { CATALOG_API_URL: catalog.url }, scope: 'file' });
  });

  it.each(['identity', 'gzip', 'br'])(
    'is streamed completely as CSV and NDJSON with content coding %s',
    async (encoding) => {
      const get = async (format: RowFormat) => {
        const answer = await fetch(`${large.url}${BOARD_17}?format=${format}`, {
          headers: { 'accept-encoding': encoding, connection: 'close' },
        });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, rowMediaTypes[format]]);
        expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
        return answer.text();
      };
      // Compared as text: Jest takes seconds to compare so many objects.
      expect(JSON.stringify(readCsv(await get('csv')))).toBe(JSON.stringify([COLUMNS, ...cells]));
      expect(await get('ndjson')).toBe(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
  );

  it('aborts the download when the upstream sends malformed JSON', async () => {
    const body = Buffer.alloc(2 * 1024 * 1024, ' ');
    body.write(`{"titleId":"${HARBOR.titleId}","entries":[${JSON.stringify(entries[0])},oops`);
    const catalogUrl = await startRawUpstream((req, res) => {
      const { titles, revision } = network();
      const isTitles = req.url === operations.listTitles.path;
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.end(isTitles ? JSON.stringify({ revision, titles }) : Buffer.concat([body, Buffer.from('}')]));
    });
    const broken = await runGateway({ env: { CATALOG_API_URL: catalogUrl } });
    for (const format of rowFormats) {
      const read = async () => (await fetch(`${broken.url}${BOARD_17}?format=${format}`)).text();
      await expect(read()).rejects.toThrow();
    }
    expect((await broken.request(SERIES)).status).toBe(200);
  });
});
