import { iconRequestOf } from '../src/polls/icon-url.ts';

const hosts = { networkUrl: 'http://simulator:8090/net', publicUrl: 'https://www.network.example/home' };

describe('request for an icon', () => {
  it.each([
    ['https://www.network.example/home/icons/1.png?v=2', 'http://simulator:8090/net/icons/1.png?v=2', true],
    ['https://www.network.example/other/1.png', 'http://simulator:8090/net/other/1.png', true],
    ['https://cdn.network.example/1.png', 'https://cdn.network.example/1.png', false],
    ['http://a.b.network.example/1.png', 'http://a.b.network.example/1.png', false],
  ])('%s goes to %s', (image, url, isOwnHost) => {
    expect(iconRequestOf(image, hosts)).toEqual({ url, isOwnHost });
  });

  it.each([
    '',
    'not a URL',
    'https://network.example.evil.example/1.png',
    'https://evilnetwork.example/1.png',
    'https://other.example/1.png',
    'https://cdn.network.example:8443/1.png',
    'https://user:secret@cdn.network.example/1.png',
    'http://127.0.0.1/1.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/1.png',
    'http://localhost/1.png',
    'http://catalog-api:8082/internal/titles',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'ftp://cdn.network.example/1.png',
  ])('%j is not sent', (image) => {
    expect(iconRequestOf(image, hosts)).toBeUndefined();
  });

  it('reaches no host below an address or a name of one word', () => {
    for (const url of ['http://127.0.0.1:8090', 'http://localhost:8090']) {
      const own = { networkUrl: url, publicUrl: url };
      expect(iconRequestOf(`${url}/icons/1.png`, own)).toEqual({ url: `${url}/icons/1.png`, isOwnHost: true });
      expect(iconRequestOf('http://x.127.0.0.1/1.png', own)).toBeUndefined();
      expect(iconRequestOf('http://evil.localhost/1.png', own)).toBeUndefined();
    }
  });
});
