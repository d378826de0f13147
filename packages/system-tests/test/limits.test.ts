import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverLimits } from '@lobbystats/service-kit';
import { readComposeFile } from './stack/compose-files.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The numbers of a directive or setting, in the order of the text. @throws Error if there is none */
function numbersOf(text: string, pattern: RegExp): number[] {
  const numbers = [...text.matchAll(pattern)].map(([, digits]) => Number(digits));
  if (numbers.length === 0) throw new Error(`${pattern} occurs nowhere`);
  return numbers;
}
const numberOf = (text: string, pattern: RegExp) => Math.max(...numbersOf(text, pattern));

const gateways = read('infra/nginx/gateways.conf');
const common = read('infra/nginx/common.conf');
const perAddress = numberOf(read('.env.example'), /^CONNECTIONS_PER_ADDRESS=(\d+)$/gm);
/** Connections to one gateway: requests, streams. */
const [perGateway = 0, streams = 0] = gateways
  .split(/^upstream /m)
  .slice(1)
  .map((upstream) => numberOf(upstream, /max_conns=(\d+)/g));

describe('no limit is above that of the next layer', () => {
  it('one address takes a quarter of the requests that a gateway has in flight', () => {
    expect(4 * perAddress).toBeLessThanOrEqual(serverLimits.inFlightMax);
  });

  it.each(['lobbystats.conf', 'lobbystats-tls.conf'])('a worker of %s has both connections of each request', (file) => {
    const text = read(`infra/nginx/${file}`);
    const connections = numberOf(text, /worker_connections (\d+);/g);
    expect(2 * (perGateway + streams)).toBeLessThanOrEqual(connections);
    expect(connections).toBeLessThan(numberOf(text, /worker_rlimit_nofile (\d+);/g));
  });

  it('every socket has the same bound of connections, which a gateway can queue and accept', () => {
    const sockets = Number(gateways.match(/^ {2}server /gm)?.length) / 2;
    expect(numbersOf(gateways, /^ {2}server .*max_conns=(\d+)/gm)).toEqual([
      ...Array<number>(sockets).fill(perGateway),
      ...Array<number>(sockets).fill(streams),
    ]);
    expect(perGateway).toBeLessThanOrEqual(serverLimits.backlog);
    // nginx and nginx-tls, each with the idle connections of 8 workers, which max_conns leaves out.
    const idle = 8 * numberOf(gateways, /^ {2}keepalive (\d+);/gm);
    expect(2 * (perGateway + streams + idle)).toBeLessThanOrEqual(serverLimits.connectionsMax);
  });

  it('nginx closes idle connections before the gateway does', () => {
    expect(numberOf(gateways, /keepalive_timeout (\d+)s;/g) * 1000).toBeLessThan(serverLimits.keepAliveMs);
  });

  it('unfinished bodies of one address take at most a fiftieth of /tmp', () => {
    const bodies = numberOf(common, /limit_conn large_bodies (\d+);/g);
    const body = numberOf(common, /client_max_body_size (\d+)k;/g);
    const tmp = numberOf(readComposeFile().text, /^ {4}tmpfs: \['\/tmp:size=(\d+)m'\]/gm);
    expect(50 * bodies * body).toBeLessThanOrEqual(tmp * 1024);
  });

  it('all forms have the same default for one address', () => {
    const { text } = readComposeFile();
    expect(new Set(numbersOf(text, /CONNECTIONS_PER_ADDRESS:-(\d+)/g))).toEqual(new Set([perAddress]));
  });
});
