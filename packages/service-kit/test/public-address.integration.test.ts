import { lookup, type LookupAddress } from 'node:dns';
import { startHttpReceiver } from '@lobbystats/test-kit';
import { isPublicAddress, publicDomainLookup, publicLookup, type LookUp } from '../src/client/public-address.ts';
import { createHttpClient } from '../src/index.ts';

describe('public addresses', () => {
  it.each([
    ...['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.0.3.1', '100.63.255.255', '100.128.0.0', '223.255.255.255'],
    ...['2606:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888'],
  ])('includes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.0.0.1', '192.168.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', 'fe80::1%lo'],
    ...['fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1', '2001::1', '2002:7f00:1::', '3fff::1'],
    ...['', 'localhost', '2130706433'],
  ])('excludes %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a client that connects to public hosts only', () => {
  const client = createHttpClient({ timeoutMs: 5000, maxBytes: 1000, onlyPublic: true });

  it.each([
    ...['https://127.0.0.1/', 'https://2130706433/', 'https://0177.0.0.1/', 'https://0x7f.1/', 'https://127.1/'],
    ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://localhost/'],
    ...['http://10.0.0.1:8080/', 'https://[fd00::1]/'],
  ])('sends nothing to %s', async (url) => {
    await expect(client.post(url, 'text')).rejects.toMatchObject({ code: 'EPRIVATE' });
  });

  it('refuses a name when it is looked up, in each form that Node asks for', async () => {
    for (const options of [{}, { all: true }, { all: true, family: 4 }] as const) {
      const error = await new Promise((resolve) => {
        publicLookup(lookup)('localhost', options, resolve);
      });
      expect(error).toMatchObject({ code: 'EPRIVATE' });
    }
  });

  /** Answers with these addresses, one after the other. */
  function answering(...answers: readonly string[][]): LookUp {
    let count = 0;
    return (_, __, callback) => {
      const addresses = answers[Math.min(count, answers.length - 1)] ?? [];
      count += 1;
      const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
      process.nextTick(callback, null, found);
    };
  }

  it('checks a name each time: one that was public and is rebound to this machine gets nothing', async () => {
    const receiver = await startHttpReceiver();
    const url = receiver.url.replace('127.0.0.1', 'rebound.localhost');
    const lookUp = answering(['93.184.216.34'], ['127.0.0.1']);
    const addresses = await new Promise((resolve, reject) => {
      publicLookup(lookUp)('rebound.localhost', { all: true }, (error, found) =>
        error ? reject(error) : resolve(found),
      );
    });
    expect(addresses).toEqual([{ address: '93.184.216.34', family: 4 }]);
    const rebound = createHttpClient({ timeoutMs: 5000, maxBytes: 1000, onlyPublic: true, lookUp });
    await expect(rebound.post(url, 'text')).rejects.toMatchObject({ code: 'EPRIVATE' });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ...[
      ['simulator', true],
      ['network.internal', true],
      ['a.network.lan', true],
      ['rebound.localhost', true],
    ],
    ...[
      ['network.example', false],
      ['icons.network.example', false],
      ['internal.network.example', false],
    ],
  ])('a name of the operator (%s) may lead to a private address: %s', async (host, isAllowed) => {
    for (const options of [{}, { all: true }] as const) {
      const error = await new Promise((resolve) => {
        publicDomainLookup(answering(['127.0.0.1']))(String(host), options, resolve);
      });
      expect((error as { code?: string } | null)?.code).toBe(isAllowed === true ? undefined : 'EPRIVATE');
    }
  });

  it('an operator’s URL may have a private address, and a name of this machine', async () => {
    const receiver = await startHttpReceiver();
    const lookUp = answering(['127.0.0.1']);
    const collector = createHttpClient({ timeoutMs: 5000, maxBytes: 1000, onlyPublicDomains: true, lookUp });
    await collector.post(receiver.url, 'text');
    await collector.post(receiver.url.replace('127.0.0.1', 'localhost'), 'text');
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700::1111', '::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['169.254.169.254']],
    [[]],
  ])('refuses a name whose addresses are %j', async (addresses) => {
    const receiver = await startHttpReceiver();
    const lookUp = answering(addresses);
    const mixed = createHttpClient({ timeoutMs: 5000, maxBytes: 1000, onlyPublic: true, lookUp });
    for (const scheme of ['http', 'https']) {
      const url = receiver.url.replace('127.0.0.1', 'mixed.localhost').replace('http', scheme);
      await expect(mixed.post(url, 'text')).rejects.toMatchObject({ code: 'EPRIVATE' });
    }
    expect(receiver.requests).toEqual([]);
  });
});
