import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Subscription } from '../../src/bus/index.ts';
import { openSqliteStore } from '../../src/sqlite/index.ts';
import { runDlq, type DlqAction, type DlqOptions } from '../../src/bus/dlq-command.ts';
import { Recorder, eventually } from './recorder.ts';
import { JournalBusFixture } from './journal-bus-fixture.ts';
import { ORIGIN, pageConsumer, publishPage, QUEUE, rawBody } from './samples.ts';

interface CommandResult {
  code: number;
  out: string;
  error: string;
}

async function dlq(env: Record<string, string>, action: DlqAction, options: DlqOptions = {}): Promise<CommandResult> {
  const result: CommandResult = { code: -1, out: '', error: '' };
  const terminal = {
    out: (text: string) => void (result.out += text),
    error: (text: string) => void (result.error += text),
  };
  result.code = await runDlq({ env, terminal }, action, options);
  return result;
}

describe('dlq', () => {
  let fixture: JournalBusFixture;
  let env: Record<string, string>;
  let failing: Subscription;
  beforeEach(async () => {
    fixture = JournalBusFixture.inFile();
    env = { BUS_URL: fixture.url };
    const bus = await fixture.open();
    failing = await bus.consume(pageConsumer(() => Promise.reject(new Error('no luck')), { attempts: 2 }));
    await publishPage(bus, 1);
    await fixture.publishRaw(QUEUE, rawBody({ type: 'evil.\u001b[2Jtype\nline' }));
    const office = await fixture.deadLetters();
    await eventually(
      () => office.list(),
      ({ length }) => length === 2,
    );
    await office.close();
  });
  afterEach(() => fixture.remove());

  it('list prints a table without control characters', async () => {
    const { code, out } = await dlq(env, 'list');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +QUEUE +TYPE +ATTEMPTS +DIED AT +REASON$/);
    expect(lines.slice(1).toSorted((a, b) => a.slice(1).localeCompare(b.slice(1)))).toEqual([
      expect.stringMatching(/^\d +collector +evil\. \[2Jtype line +1 +\S+Z +unknown type evil\. \[2Jtype line$/),
      expect.stringMatching(/^\d +collector +page\.requested +2 +\S+Z +failed 2 times: no luck$/),
    ]);
  });

  it('list --json finds the journal in DATA_DIR and includes bodies', async () => {
    const { out } = await dlq({ BUS_URL: '', DATA_DIR: dirname(fixture.path) }, 'list', { json: true, queue: QUEUE });
    expect(JSON.parse(out)).toHaveLength(2);
    expect(JSON.parse(out)[0]).toEqual({
      id: expect.any(String),
      queue: QUEUE,
      reason: expect.any(String),
      attempts: expect.any(Number),
      diedAt: expect.any(String),
      body: expect.any(String),
    });
  });

  it('requeue and purge affect only the selected dead letters', async () => {
    expect(await dlq(env, 'purge', { id: ['1'], json: true })).toEqual({ code: 0, out: '{"purged":1}\n', error: '' });
    expect(await dlq(env, 'purge', { id: ['1'] })).toMatchObject({ code: 0, out: 'No matching dead letters.\n' });
    expect(await dlq(env, 'requeue', { queue: 'gateway' })).toMatchObject({ out: 'No matching dead letters.\n' });
    expect(await dlq(env, 'requeue')).toMatchObject({ code: 0, out: 'Requeued 1 message.\n' });
    expect(await dlq(env, 'purge', { all: true })).toMatchObject({ code: 0 });
  });

  it('requeue from another process is noticed by the running bus', async () => {
    const bus = fixture.bus;
    const seen = new Recorder<number>();
    const program = join(import.meta.dirname, '../../../cli/src/main.ts');
    await failing.stop();
    await bus.consume(pageConsumer((number) => seen.add(number)));
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'dlq', 'requeue'], { env });
    expect(stdout).toBe('Requeued 2 messages.\n');
    expect(await seen.waitForCount(1)).toEqual([1]);
  });

  it.each<[DlqAction, DlqOptions, RegExp]>([
    ['purge', {}, /purge is permanent/],
    ['purge', { all: true, queue: QUEUE }, /--all cannot be combined/],
    ['requeue', { id: ['1; DROP'] }, /not the id/],
    ['list', { queue: 'nowhere' }, /no queue nowhere; queues are collector,.*; see npx lobbystats dlq --help/],
  ])('exits with 2 for %s %j and removes nothing', async (action, options, message) => {
    const { code, out, error } = await dlq(env, action, options);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(message);
    expect(JSON.parse((await dlq(env, 'list', { json: true })).out)).toHaveLength(2);
  });

  it('reports no dead letters without a journal, and does not create one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dlq-'));
    const result = await dlq({ DATA_DIR: directory }, 'list');
    expect(result).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No dead letters: there is no bus journal at/),
    });
    expect(await dlq({ DATA_DIR: directory }, 'purge', { all: true, json: true })).toMatchObject({
      out: '{"purged":0}\n',
    });
    expect(existsSync(join(directory, 'bus.sqlite'))).toBe(false);
    rmSync(directory, { recursive: true });
  });

  it('exits with 1 and the reason when the bus cannot be opened', async () => {
    expect(await dlq({ BUS_URL: 'memory:' }, 'list')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/memory:PATH/),
    });
    expect(await dlq({ BUS_URL: 'amqp:u:p@h' }, 'list')).toMatchObject({ code: 1, out: '' });
    const other = join(dirname(fixture.path), 'other.sqlite');
    openSqliteStore({
      url: `sqlite:${other}`,
      name: 'other',
      origin: ORIGIN,
      migrations: [],
      durability: 'full',
    }).close();
    expect((await dlq({ BUS_URL: `memory:${other}` }, 'list')).error).toMatch(/other/);
  });
});
