import { clientNetwork, ConfigError, readConfig, trustedProxiesSetting } from '@lobbystats/service-kit';
import { eventually, getJson } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { z } from 'zod';
import { startExample, type Example } from './example-service.ts';

const read = (text: string) => readConfig(z.object({ PROXIES: trustedProxiesSetting }), { PROXIES: text }).PROXIES;

/** Sends a request and returns the client address of its log entry. */
async function clientOf({ url, lines }: Example, forwardedFor?: string): Promise<unknown> {
  lines.length = 0;
  await getJson(`${url}/healthz`, forwardedFor === undefined ? {} : { headers: { 'X-Forwarded-For': forwardedFor } });
  return eventually(() => {
    const line = lines.find(({ message }) => message === 'request');
    expect(line).toBeDefined();
    return line?.['client'];
  });
}

describe('trustedProxiesSetting', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7', true],
    ['10.0.0.7', '10.0.0.8', false],
    [' 192.168.0.0/16 , 10.0.0.0/8,', '10.255.1.2', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['fd00::/8', 'fd12::1', true],
    ['::1', '::1', true],
    ['', '127.0.0.1', false],
    ['10.0.0.0/8', 'nonsense', false],
  ])('with "%s", the result for %s is %p', (setting, address, expected) => {
    expect(read(setting)(address, 0)).toBe(expected);
  });

  it.each([
    'proxy.example',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    '::1/129',
    '*',
    '10.0.0.1 10.0.0.2',
  ])('rejects "%s"', (text) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow('PROXIES must be IP addresses and subnets, separated by commas');
  });
});

describe('clientNetwork', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['198.51.100.7, 10.0.0.1', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('the client address in the log', () => {
  it('is absent without the trustedProxies option', async () => {
    expect(await clientOf(await startExample(), '9.9.9.9')).toBeUndefined();
  });

  it('is the address of the connection if no proxy is trusted', async () => {
    expect(await clientOf(await startExample({ trustedProxies: read('') }), '9.9.9.9')).toBe('127.0.0.1');
    expect(await clientOf(await startExample({ trustedProxies: read('10.0.0.0/8') }), '9.9.9.9')).toBe('127.0.0.1');
  });

  it.each([
    ['9.9.9.9', '9.9.9.9'],
    ['6.6.6.6, 9.9.9.9', '9.9.9.9'],
    ['6.6.6.6, 9.9.9.9, 10.1.1.1,127.0.0.2', '9.9.9.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:9.9.9.9', '9.9.9.9'],
    ['10.1.1.1', '10.1.1.1'],
    ['9.9.9.9, unknown', '127.0.0.1'],
    ['9.9.9.9, 10.1.1.1, <script>', '127.0.0.1'],
    ['9.9.9.9:1234', '127.0.0.1'],
    ['', '127.0.0.1'],
    [`6.6.6.6, ${'10.1.1.1, '.repeat(50)}10.1.1.1`, '6.6.6.6'],
  ])('is the last untrusted address of X-Forwarded-For: "%s" is %s', async (forwardedFor, client) => {
    expect(await clientOf(await startExample({ trustedProxies: read('127.0.0.0/8, 10.0.0.0/8') }), forwardedFor)).toBe(
      client,
    );
  });

  it('is never an address before the last untrusted one', async () => {
    const example = await startExample({ trustedProxies: read('127.0.0.1, 10.0.0.0/8') });
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('10.0.0.1'), fc.stringMatching(/^[ -~]{0,9}$/));
    await fc.assert(
      fc.asyncProperty(fc.array(hop, { maxLength: 5 }), async (hops) => {
        const client = await clientOf(example, [...hops, '7.7.7.7', '10.0.0.1'].join(', '));
        expect(client).toBe('7.7.7.7');
      }),
      { numRuns: 20 },
    );
  });
});
