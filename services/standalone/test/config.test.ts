import { ConfigError } from '@lobbystats/service-kit';
import { readStandaloneConfig } from '../src/config.ts';

describe('standalone settings', () => {
  it('start the simulator and store all data in ./data by default', () => {
    const { startsSimulator, NETWORK_ORIGIN, HOST, PORT, env } = readStandaloneConfig({});
    expect({ startsSimulator, NETWORK_ORIGIN, HOST, PORT }).toEqual({
      startsSimulator: true,
      NETWORK_ORIGIN: 'simulated',
      HOST: '127.0.0.1',
      PORT: 8080,
    });
    expect(env).toMatchObject({ BUS_URL: 'memory:data/bus.sqlite', SERIES_URL: 'sqlite:data/series.sqlite' });
  });

  it('accept a real network only with NETWORK_ORIGIN and COLLECTOR_CONTACT', () => {
    const network = { NETWORK_URL: 'https://network.example', COLLECTOR_CONTACT: 'https://stats.example' };
    expect(() => readStandaloneConfig(network)).toThrow(/NETWORK_ORIGIN must name the network/);
    expect(readStandaloneConfig({ ...network, NETWORK_ORIGIN: 'network.example' })).toMatchObject({
      startsSimulator: false,
      env: { NETWORK_ORIGIN: 'network.example' },
    });
    expect(() =>
      readStandaloneConfig({ ...network, NETWORK_ORIGIN: 'network.example', COLLECTOR_CONTACT: '' }),
    ).toThrow(/COLLECTOR_CONTACT must be/);
    expect(() => readStandaloneConfig({ NETWORK_ORIGIN: 'network.example' })).toThrow(/NETWORK_URL must be set/);
  });

  it('never use the simulator for sign-in to a real network', () => {
    const network = {
      NETWORK_URL: 'https://network.example',
      NETWORK_ORIGIN: 'network.example',
      COLLECTOR_CONTACT: 'https://stats.example/contact',
    };
    const { env } = readStandaloneConfig(network);
    for (const name of ['AUTH_URL', 'DISCORD_API_URL'])
      expect(new URL(String(env[name])).hostname).toMatch(/[.]invalid$/);
    expect(readStandaloneConfig({ ...network, AUTH_URL: 'https://auth.example' }).env['AUTH_URL']).toBe(
      'https://auth.example',
    );
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
    ['192.0.2.7', 'http://192.0.2.7:8080'],
  ])('name an address for links that clients reach when HOST is %s', (HOST, url) => {
    expect(readStandaloneConfig({ HOST }).env['PUBLIC_URL']).toBe(url);
  });

  it.each(['http://0.0.0.0:8080', 'http://0:80', 'http://[::]'])(
    'reject PUBLIC_URL %s, which no client reaches',
    (url) => {
      expect(() => readStandaloneConfig({ PUBLIC_URL: url })).toThrow('PUBLIC_URL must name a host');
    },
  );

  it.each([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ PUBLIC_URL: 'http://localhost:8080' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ PUBLIC_URL: 'https://stats.example' }, false],
    [{ HOST: '192.0.2.7', PUBLIC_URL: 'http://127.0.0.1:8080' }, false],
  ])('let channels reach this machine only if nobody else uses the system: %j', (env, isAllowed) => {
    expect(readStandaloneConfig(env).env['CHANNEL_HOSTS']).toBe(
      isAllowed ? '127.0.0.1:*,localhost:*,[::1]:*' : undefined,
    );
  });

  it('let channels reach the hosts that are named', () => {
    const CHANNEL_HOSTS = 'ntfy.example.org:443';
    expect(readStandaloneConfig({ CHANNEL_HOSTS }).env).toMatchObject({ CHANNEL_HOSTS });
    expect(() => readStandaloneConfig({ CHANNEL_HOSTS: 'ntfy.example.org' })).toThrow(
      /CHANNEL_HOSTS must be HOST:PORT/,
    );
  });

  it('reject the same port for the gateway and the simulator', () => {
    expect(() => readStandaloneConfig({ PORT: '9000', SIMULATOR_PORT: '9000' })).toThrow(/must differ/);
  });

  it('report all invalid settings at once', () => {
    const read = () => readStandaloneConfig({ PORT: '70000', COLLECTOR_MAX_RPS: 'x', CACHE_BYTES: '-1' });
    expect(read).toThrow(ConfigError);
    for (const name of ['PORT', 'COLLECTOR_MAX_RPS', 'CACHE_BYTES']) expect(read).toThrow(name);
  });
});
