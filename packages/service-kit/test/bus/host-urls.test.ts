import { hostUrls } from '../../src/bus/index.ts';

describe('hostUrls', () => {
  it.each([
    ['amqp://u:p@a:5672/vhost?heartbeat=1', ['amqp://u:p@a:5672/vhost?heartbeat=1']],
    [
      'amqp://u:p@a:5672,b,[::1]:5673/vhost?heartbeat=1',
      [
        'amqp://u:p@a:5672/vhost?heartbeat=1',
        'amqp://u:p@b/vhost?heartbeat=1',
        'amqp://u:p@[::1]:5673/vhost?heartbeat=1',
      ],
    ],
    ['amqp://user:a,b@host/vhost', ['amqp://user:a,b@host/vhost']],
    ['http://a:1,b:2', ['http://a:1', 'http://b:2']],
    ['memory:/data/bus,1.sqlite', ['memory:/data/bus,1.sqlite']],
  ])('of %s', (url, urls) => {
    expect(hostUrls(url)).toEqual(urls);
  });
});
