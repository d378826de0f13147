import { isPublicAddress, lookUpPublic } from '../src/client/public-address.ts';
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
        lookUpPublic('localhost', options, resolve);
      });
      expect(error).toMatchObject({ code: 'EPRIVATE' });
    }
  });
});
