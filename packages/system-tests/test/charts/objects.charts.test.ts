import { createValidator, type ValidateObject } from './validate-object.ts';
import { CHARTS, everything, helm, renderChart } from './render-chart.ts';

/** The oldest that the charts accept, and the newest of the schemas. */
const KUBERNETES = ['1.29.0', '1.37.0'];
const REAL_NETWORK = {
  NETWORK_URL: 'https://network.example',
  NETWORK_ORIGIN: 'network.example',
  COLLECTOR_CONTACT: 'https://stats.example',
};

const cases = [
  ['lobbystats', 'its defaults', {}],
  ['lobbystats', 'every optional part', everything.lobbystats],
  ['lobbystats', 'existing volumes', { tokens: { existingClaim: 'a', grafanaExistingClaim: 'b' } }],
  ['lobbystats', 'tokens in a Secret', { tokens: { existingSecret: 'tokens' }, settings: REAL_NETWORK }],
  ['lobbystats', 'the fewest parts', { analysts: { enabled: false }, networkPolicy: { enabled: false } }],
  ['lobbystats-servers', 'its defaults', {}],
  ['lobbystats-servers', 'every optional part', everything['lobbystats-servers']],
  ['lobbystats-servers', 'InfluxDB alone', { rabbitmq: { enabled: false }, mongodb: { enabled: false } }],
] as const;

describe.each(cases)('the chart %s with %s', (chart, _name, values) => {
  it('passes helm lint', () => {
    expect(helm(['lint', '--strict', '--quiet'], chart, values)).not.toMatch(/WARNING|ERROR/);
  });

  it.each(KUBERNETES)('makes valid objects of Kubernetes %s', (version) => {
    const validate: ValidateObject = createValidator(version);
    const objects = renderChart(chart, values, version);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.flatMap(validate)).toEqual([]);
  });
});

describe.each(CHARTS)('the objects of the chart %s', (chart) => {
  const objects = renderChart(chart, everything[chart]);

  it('have names of their own', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('contain no secret', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

it('both charts fit in one namespace: no two objects of a kind have one name', () => {
  const names = CHARTS.flatMap((chart) => renderChart(chart, everything[chart])).map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('values that the chart refuses', () => {
  it.each([
    ['an unknown setting', { settings: { LOGLEVEL: 'debug' } }, /LOGLEVEL/],
    ['a number out of bounds', { settings: { BACKFILL_DAYS: 31 } }, /BACKFILL_DAYS/],
    ['a network without its name', { settings: { NETWORK_URL: 'https://network.example' } }, /NETWORK_ORIGIN/],
    [
      'a network of others without a contact',
      { settings: { ...REAL_NETWORK, COLLECTOR_CONTACT: '' } },
      /COLLECTOR_CONTACT/,
    ],
    ['a password in a URL', { rabbitmq: { url: 'amqp://admin:secret@rabbitmq:5672' } }, /rabbitmq\/url/],
    ['no Secret', { existingSecret: '' }, /existingSecret/],
    ['TLS without a URL to redirect to', { tls: { secretName: 'tls' } }, /PUBLIC_URL must begin with https/],
    ['alerts without an address of their runbooks', { monitoring: { rules: { enabled: true } } }, /runbooks must be/],
    ['two simulators', { services: { simulator: { replicas: 2 } } }, /replicas/],
  ])('are %s', (_name, values, message) => {
    expect(() => renderChart('lobbystats', values)).toThrow(message);
  });
});

it('a Kubernetes older than the oldest is refused', () => {
  expect(() => renderChart('lobbystats', {}, '1.28.0')).toThrow(/kubeVersion/);
});
