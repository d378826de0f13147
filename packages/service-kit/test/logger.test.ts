import { AppError } from '@lobbystats/contracts/errors';
import { context, createLogger, type LogLevel } from '@lobbystats/service-kit';
import fc from 'fast-check';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

function log(
  work: (logger: ReturnType<typeof createLogger>) => void,
  format: 'json' | 'pretty' = 'json',
  level: LogLevel = 'info',
) {
  const lines: string[] = [];
  work(createLogger({ service: 'series-api', level, format, write: (line) => lines.push(line) }));
  return lines;
}

function entries(work: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  return log(work).map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the JSON log', () => {
  it('has one line per entry with time, level, service, message and details', () => {
    const lines = log((logger) => logger.info('slot stored', { slot: 300, titles: ['a'] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\{"time":"\d{4}-\d\d-\d\dT[^"]+Z","level":"info","service":"series-api","message":.*\}\n$/,
    );
    expect(JSON.parse(lines[0]!)).toMatchObject({ message: 'slot stored', slot: 300, titles: ['a'] });
  });

  it('omits entries below its level', () => {
    expect(log((logger) => logger.debug('too much'))).toEqual([]);
  });

  it('has the ids of the running request or message in each entry', () => {
    const lines = entries((logger) => {
      for (let i = 0; i < 100; i += 1) {
        context.run({ requestId: `request-${i}`, traceparent }, () => logger.info('asked', { i }));
      }
      context.run({ messageId: 'message-1', traceparent }, () => logger.info('told'));
      logger.info('outside');
    });
    expect(lines.slice(0, 100).map(({ requestId }) => requestId)).toEqual(
      lines.slice(0, 100).map(({ i }) => `request-${String(i)}`),
    );
    expect(lines[100]).toMatchObject({ messageId: 'message-1', traceId: '0af7651916cd43dd8448eb211c80319c' });
    expect(lines[101]).not.toHaveProperty('traceId');
  });

  it('does not let details override its own fields', () => {
    const [line] = entries((logger) => logger.info('real', { service: 'fake', level: 'fake', time: 'fake' }));
    expect(line).toMatchObject({ service: 'series-api', level: 'info', message: 'real' });
    expect(line?.['time']).not.toBe('fake');
  });

  it('keeps the details of a message with a percent sign', () => {
    expect(entries((logger) => logger.info('at 50%d', { slot: 300 }))[0]).toMatchObject({
      message: 'at 50%d',
      slot: 300,
    });
  });

  it('writes errors with stack, code and causes, and without other properties', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      config: { auth: 'hunter2' },
    });
    const lines = log((logger) => logger.error('failed', { error: new Error('no answer', { cause }) }));
    expect(JSON.parse(lines[0]!)).toMatchObject({
      error: {
        name: 'Error',
        message: 'no answer',
        stack: expect.stringContaining('logger.test'),
        cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
      },
    });
    expect(lines[0]).not.toContain('hunter2');
  });

  it('handles cycles, depth, length, unusual values and hostile keys', () => {
    const cycle: Record<string, unknown> = { big: 10n, when: new Date(0), bytes: Buffer.alloc(3), none: undefined };
    cycle['self'] = cycle;
    let deep: unknown = 'bottom';
    for (let i = 0; i < 10_000; i += 1) deep = { deep };
    const throwing = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}') as object;
    const lines = entries((logger) => {
      logger.info('cycle', cycle);
      logger.info('deep', { deep });
      logger.info('long', { text: 'x'.repeat(1_000_000), items: Array.from({ length: 10_000 }, () => 0) });
      logger.info('throwing', { throwing });
      logger.info('hostile', { hostile });
    });
    expect(lines[0]).toMatchObject({
      self: { self: '[circular]' },
      big: '10',
      when: '1970-01-01T00:00:00.000Z',
      bytes: '[3 bytes]',
    });
    expect(JSON.stringify(lines).length).toBeLessThan(30_000);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('redaction', () => {
  it.each([
    'sessionKey',
    'session_key',
    'X-Session-Key',
    'password',
    'INFLUX_TOKEN',
    'client_secret',
    'Authorization',
    'apiKey',
    'cookie',
  ])('redacts values under the key %s at any depth', (key) => {
    const lines = log((logger) =>
      logger.info('sent', { headers: [{ [key]: 'hunter2' }], [key]: { inner: 'hunter2' } }),
    );
    expect(lines[0]).not.toContain('hunter2');
    expect(lines[0]).toContain('[redacted]');
  });

  it.each([
    '/user?sessionKey=hunter2&x=1',
    '/user?session%5Fkey=1&sessionkey=hunter2',
    'amqp://lobby:hunter2@broker:5672/%2f',
    'mongodb://lobby:p@ss:hunter2@db/x',
    'X-Session-Key: hunter2',
    '{"password":"hunter2"}',
    'Authorization: Basic hunter2==',
    'Authorization: Bearer hunter2',
    'token=hunter2',
  ])('redacts the secret in %s', (text) => {
    const lines = log((logger) => {
      logger.info(text);
      logger.info('said', { text, error: new Error(text, { cause: new Error(text) }) });
    });
    expect(lines.join('')).not.toContain('hunter2');
  });

  it('does not change other texts', () => {
    const plain = 'GET http://127.0.0.1:8081/titles?days=3 took 5 ms: a basic user@example.org // note';
    expect(entries((logger) => logger.info(plain))[0]).toMatchObject({ message: plain });
  });

  it('takes linear time', () => {
    const hostile = [
      '//'.repeat(5000),
      '//a@'.repeat(2500),
      'token'.repeat(2000),
      `bearer ${'a'.repeat(9000)}`,
      '@'.repeat(10_000),
    ];
    const cpuMsOf = (texts: string[]) => {
      const before = process.cpuUsage();
      log((logger) => texts.forEach((text) => logger.info(text)));
      return process.cpuUsage(before).user / 1000;
    };
    cpuMsOf(hostile);
    // CPU time, which other processes don't change. Texts of this length take minutes in quadratic time.
    expect(cpuMsOf(hostile)).toBeLessThan(5000);
  });

  it('redacts a session key in any surrounding text', () => {
    const word = fc.stringMatching(/^[a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(word, word, fc.constantFrom('sessionKey', 'x-session-key', 'SESSION_KEY'), (before, after, key) => {
        const text = `${before}?${key}=K3Y-VALUE&${after}`;
        expect(log((logger) => logger.info(text, { [key]: 'K3Y-VALUE', list: [text] })).join('')).not.toContain(
          'K3Y-VALUE',
        );
      }),
    );
  });
});

describe('the pretty log', () => {
  it('has one readable line per entry', () => {
    const [line] = log(
      (logger) => logger.warn('page not understood', { titleId: '4d530064', reason: 'no table' }),
      'pretty',
    );
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d warn {2}series-api {2}page not understood titleId=4d530064 reason="no table"\n$/,
    );
  });

  it('shows what is unavailable in one line with its cause', () => {
    const cause = new Error('database or disk is full');
    const error = new AppError('unavailable', 'No store', { cause });
    const line = log((logger) => logger.warn('retried', { error }), 'pretty').join('');
    expect(line).toMatch(/retried error="No store \(database or disk is full\)"\n?$/);
    expect(line.trim().split('\n')).toHaveLength(1);
    expect(log((logger) => logger.info('told', { told: { code: 'unavailable' } }), 'pretty').join('')).toContain(
      'told=',
    );
  });

  it('shows the stacks of an error and its causes below the line', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    const lines = log((logger) => logger.error('failed', { error }), 'pretty')
      .join('')
      .split('\n');
    expect(lines[0]).toContain('failed error="outer"');
    expect(lines.filter((line) => /^ {9}Error: (outer|inner)$/.test(line))).toHaveLength(2);
  });

  it('escapes line breaks and colours of texts', () => {
    const text = 'x\n12:00:00 info  gateway  all is well\u001b[31m\u2028';
    const printed = log((logger) => logger.info(text, { text }), 'pretty').join('');
    expect(printed.trimEnd().split('\n')).toHaveLength(1);
    expect(printed).not.toContain('\u001b');
    expect(printed).not.toContain('\u2028');
  });
});
