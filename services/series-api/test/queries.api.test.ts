import { sampleRequest, type Operation } from '@lobbystats/contracts';
import { boundedParameters, readsOf, withQuery } from '@lobbystats/test-kit';
import { HARBOR, NOW } from './observations.ts';
import { runSeries, type RunningSeries } from './running-series.ts';

const reads = readsOf('series-api');
const ofTitles = reads.filter(({ path }) => path.includes(':titleId'));
const target = (operation: Operation, titleId = HARBOR): string =>
  sampleRequest(operation, { titleId, otherTitleId: titleId, player: 'Ada' }).target;

const parameters = reads.flatMap((operation) =>
  boundedParameters(operation).map((parameter) => ({ id: operation.id, target: target(operation), ...parameter })),
);
const integers = parameters.flatMap(({ minimum, maximum, ...rest }) =>
  minimum === undefined || maximum === undefined ? [] : [{ ...rest, minimum, maximum }],
);
const choices = parameters.flatMap(({ enum: values, ...rest }) => (values === undefined ? [] : [{ ...rest, values }]));

let series: RunningSeries;
beforeAll(async () => {
  series = await runSeries();
  await series.observe({ [NOW]: { titles: { [HARBOR]: {} } } });
});
afterAll(async () => {
  await series.stop();
});

describe('query parameters', () => {
  it('have bounds and choices', () => {
    expect(integers.length).toBeGreaterThan(10);
    expect(choices.length).toBeGreaterThan(5);
  });

  it.each(integers)('$id accepts $name from $minimum to $maximum and rejects other values', async (parameter) => {
    const { target, name, minimum: min, maximum: max } = parameter;
    for (const good of [min, max])
      expect((await series.get(withQuery(target, { [name]: String(good) }))).status).toBe(200);
    const refused = { error: `${name} must be an integer from ${min} to ${max}` };
    for (const bad of [min - 1, max + 1, '', '1.0', '1e1', '+1', ' 1', '0x1', '9'.repeat(400), '١']) {
      const { status, body } = await series.get(withQuery(target, { [name]: String(bad) }));
      expect([bad, status, body]).toEqual([bad, 400, refused]);
    }
    const once = withQuery(target, { [name]: String(min) });
    expect(await series.get(`${once}&${name}=${min}`)).toMatchObject({ status: 400 });
    expect(await series.get(`${once}&${name}[]=${min}`)).toMatchObject({ status: 200 });
  });

  it.each(choices)('$id accepts only known values of $name', async ({ target, name, values }) => {
    for (const value of values) expect((await series.get(withQuery(target, { [name]: value }))).status).toBe(200);
    for (const bad of ['', 'RAW', '15', '__proto__', 'constructor']) {
      const { status, body } = await series.get(withQuery(target, { [name]: bad }));
      const [, named = ''] = /^\w+ must be one of (.*)$/.exec((body as { error: string }).error) ?? [];
      expect([bad, status, named.split(', ').toSorted()]).toEqual([bad, 400, values.toSorted()]);
    }
  });
});

describe('title ID', () => {
  it.each(ofTitles)('an unknown title returns 404 at $path', async (operation) => {
    const { status, body } = await series.get(target(operation, '00000001'));
    expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
  });

  it.each(ofTitles)('a malformed title ID returns 404 at $path', async (operation) => {
    for (const bad of ['4d53006', '4d5300640', '4d53006g', '__proto__', '%00', '..%2f']) {
      const { status, body } = await series.get(operation.path.replace(':titleId', bad));
      expect([bad, status, body]).toEqual([bad, 404, { error: expect.any(String) }]);
    }
  });

  it.each(ofTitles)('a title ID is case-insensitive at $path', async (operation) => {
    const lower = await series.get(target(operation));
    const upper = await series.get(target(operation, HARBOR.toUpperCase()));
    expect(lower.status).toBe(200);
    expect(upper.text).toBe(lower.text);
  });
});
