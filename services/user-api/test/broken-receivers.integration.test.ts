import type { ServerResponse } from 'node:http';
import { eventually, startHttpReceiver } from '@lobbystats/test-kit';
import { generate } from 'selfsigned';
import { confirm, localOutbound } from './channel-receiver.ts';
import { runDeliveries } from './running-deliveries.ts';

const DAY_MS = 86_400_000;
const MUCH = 'x'.repeat(200_000);

/** Certificates of an authority that the client of a test trusts. */
async function authority() {
  const ca = await generate([{ name: 'commonName', value: 'Authority of a test' }], {
    ...{ keyType: 'ec', algorithm: 'sha256' },
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const issue = async (isSigned: boolean, { ip = '127.0.0.1', expiresInMs = DAY_MS } = {}) => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'hook.example' }], {
      ...{ keyType: 'ec', algorithm: 'sha256', notBeforeDate: new Date(Date.now() - 2 * DAY_MS) },
      notAfterDate: new Date(Date.now() + expiresInMs),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip }] }],
      ...(isSigned && { ca: { key: ca.private, cert: ca.cert } }),
    });
    return { cert, key };
  };
  return { trusted: ca.cert, issue };
}

describe('a webhook with TLS', () => {
  it('gets messages if its certificate is valid', async () => {
    const { trusted, issue } = await authority();
    const receiver = await startHttpReceiver(await issue(true));
    receiver.answer = confirm;
    const { confirmed } = await runDeliveries({ outbound: localOutbound({ ca: trusted }) });
    await confirmed('hook', receiver.url);
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([
    ['of an authority that is unknown', true, {}, false, /^TLS: UNABLE_TO_VERIFY_LEAF_SIGNATURE$/],
    ['signed by itself', false, {}, true, /^TLS: DEPTH_ZERO_SELF_SIGNED_CERT$/],
    ['of another host', true, { ip: '127.0.0.2' }, true, /^TLS: ERR_TLS_CERT_ALTNAME_INVALID$/],
    ['that has expired', true, { expiresInMs: -DAY_MS }, true, /^TLS: CERT_HAS_EXPIRED$/],
  ] as const)(
    'gets nothing with a certificate %s, and its owner learns why',
    async (_, isSigned, of, isTrusted, why) => {
      const { trusted, issue } = await authority();
      const receiver = await startHttpReceiver(await issue(isSigned, of));
      const { add, channel } = await runDeliveries({
        outbound: localOutbound({ ca: isTrusted ? trusted : undefined }),
      });
      await add({ kind: 'webhook', name: 'hook', url: receiver.url });
      await eventually(async () => {
        expect(await channel('hook')).toMatchObject({
          state: 'unconfirmed',
          problem: expect.stringMatching(why) as unknown,
        });
      });
      expect(receiver.requests).toEqual([]);
    },
  );
});

describe('a webhook that answers badly', () => {
  it('has its message repeated if it does not answer in time', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer = confirm;
    const outbound = localOutbound();
    const { confirmed, test, channel } = await runDeliveries({ outbound });
    await confirmed('hook', receiver.url);
    outbound.client = localOutbound({ timeoutMs: 300 }).client;
    receiver.answer = () => undefined;
    await test('hook');
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ problem: 'No response within 10 s' });
    });
  });

  it.each([
    ['is long', (res) => void res.end(MUCH)],
    ['is unpacked to a long one', (res) => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end('no gzip')],
    ['is cut off', (res) => res.writeHead(200, { 'Content-Length': '10' }).write('x', () => res.destroy())],
    ['never ends', (res) => res.writeHead(200).write('x')],
  ] as [string, (res: ServerResponse) => unknown][])(
    'has taken its message if it says so, though its body %s',
    async (_, answer) => {
      const receiver = await startHttpReceiver();
      receiver.answer = confirm;
      const outbound = localOutbound();
      const { confirmed, test, deliveries } = await runDeliveries({ outbound });
      await confirmed('hook', receiver.url);
      outbound.client = localOutbound({ timeoutMs: 3000 }).client;
      receiver.answer = (__, res) => {
        answer(res);
      };
      await test('hook');
      await eventually(async () => {
        const sent = (await deliveries('hook')).filter(({ type }) => type === 'test');
        expect(sent).toMatchObject([{ state: 'delivered', result: 'HTTP 200' }]);
      });
    },
  );

  it('is not confirmed by a challenge in a long body', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer = ({ body }, res) => {
      const { data } = JSON.parse(body.toString()) as { data: object };
      res.end(JSON.stringify({ ...data, more: MUCH }));
    };
    const { add, channel } = await runDeliveries();
    await add({ kind: 'webhook', name: 'hook', url: receiver.url });
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ state: 'unconfirmed', problem: 'HTTP 200, without the challenge' });
    });
  });

  it.each(['31536000', '-5', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT', '1e9'])(
    'is asked again within a day whatever Retry-After it sends: %s',
    async (retryAfter) => {
      const receiver = await startHttpReceiver();
      receiver.answer = confirm;
      const { confirmed, test, later, channel } = await runDeliveries();
      await confirmed('hook', receiver.url);
      receiver.answer = (_, res) => void res.writeHead(429, { 'Retry-After': retryAfter }).end();
      await test('hook');
      await eventually(async () => {
        expect(await channel('hook')).toMatchObject({ problem: 'HTTP 429' });
      });
      receiver.answer = confirm;
      later(86_400);
      await eventually(() => {
        expect(receiver.requests).toHaveLength(3);
      });
    },
  );
});
