import { toAbsoluteUrl } from '../src/sources/pages/pictures.parse.ts';

const BASE = 'https://network.example/';

describe('picture addresses of the network', () => {
  it.each([
    'https://cdn.example/a.png',
    'http://cdn.example:8080/a.png',
    'https://8.8.8.8/a.png',
    'http://172.32.0.1/a.png',
  ])('are passed on when everybody can load them: %s', (url) => expect(toAbsoluteUrl(url, BASE)).toBe(url));

  it.each([
    'https://user:pw@evil.example/a.png',
    'https://user@evil.example/a.png',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:8086/ping',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.0.0.1/',
    'http://172.20.0.2/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://localhost/',
    'http://a.localhost./',
    'http://influxdb:8086/ping',
    'http://metadata.google.internal/',
    'http://printer.local/',
  ])('are blank when they name credentials or an inside host: %s', (url) => {
    expect(toAbsoluteUrl(url, BASE)).toBe('');
  });

  it('are passed on from the host of the page itself, wherever that is', () => {
    expect(toAbsoluteUrl('/icons/1.svg', 'http://127.0.0.1:8090/')).toBe('http://127.0.0.1:8090/icons/1.svg');
    expect(toAbsoluteUrl('http://u:p@127.0.0.1/1.svg', 'http://127.0.0.1:8090/')).toBe('');
  });
});
