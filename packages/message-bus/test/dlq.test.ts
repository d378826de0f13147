import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Running } from '@lobbystats/message-bus';
import { openSqliteStore } from '@lobbystats/sqlite-store';
import { runDlq } from '../src/dlq-command.ts';
import { Collected, eventually } from './collected.ts';
import { JournalBusPlace } from './journal-place.ts';
import { ORIGIN, pageConsumer, publishPage, QUEUE, rawBody } from './samples.ts';

interface Said {
  code: number;
  out: string;
  error: string;
}

async function dlq(env: Record<string, string>, ...args: string[]): Promise<Said> {
  const said: Said = { code: -1, out: '', error: '' };
  said.code = await runDlq(args, env, {
    out: (text) => {
      said.out += text;
    },
    error: (text) => {
      said.error += text;
    },
  });
  return said;
}

describe('npm run dlq', () => {
  let place: JournalBusPlace;
  let env: Record<string, string>;
  let failing: Running;
  beforeEach(async () => {
    place = JournalBusPlace.inFile();
    env = { BUS_URL: place.url };
    const bus = await place.open();
    failing = await bus.consume(pageConsumer(() => Promise.reject(new Error('no luck')), { attempts: 2 }));
    await publishPage(bus, 1);
    await place.publishRaw(QUEUE, rawBody({ type: 'evil.\u001b[2Jtype\nline' }));
    const office = await place.deadLetters();
    await eventually(
      () => office.list(),
      ({ length }) => length === 2,
    );
    await office.close();
  });
  afterEach(() => place.remove());

  it('lists dead letters as a table, with nothing in it that a terminal would obey', async () => {
    const { code, out } = await dlq(env, 'list');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +QUEUE +TYPE +ATTEMPTS +DIED AT +REASON$/);
    expect(lines.slice(1).toSorted((a, b) => a.slice(1).localeCompare(b.slice(1)))).toEqual([
      expect.stringMatching(/^\d +collector +evil\. \[2Jtype line +1 +\S+Z +unknown type evil\. \[2Jtype line$/),
      expect.stringMatching(/^\d +collector +page\.wanted +2 +\S+Z +failed 2 times: no luck$/),
    ]);
  });

  it('finds the journal in DATA_DIR, and lists in JSON, bodies included', async () => {
    const { out } = await dlq({ BUS_URL: '', DATA_DIR: dirname(place.path) }, 'list', '--json', '--queue', QUEUE);
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

  it('sends again and purges what is selected', async () => {
    expect(await dlq(env, 'purge', '--id', '1', '--json')).toEqual({ code: 0, out: '{"purged":1}\n', error: '' });
    expect(await dlq(env, 'purge', '--id', '1')).toMatchObject({ code: 0, out: 'No such dead letters.\n' });
    expect(await dlq(env, 'requeue', '--queue', 'gateway')).toMatchObject({ out: 'No such dead letters.\n' });
    expect(await dlq(env, 'requeue')).toMatchObject({ code: 0, out: 'Requeued 1 message.\n' });
    expect(await dlq(env, 'purge', '--all')).toMatchObject({ code: 0 });
  });

  it('sends again from a process of its own, and the bus at work notices', async () => {
    const bus = place.bus;
    const seen = new Collected<number>();
    const program = join(import.meta.dirname, '..', 'src', 'dlq-main.ts');
    await failing.stop();
    await bus.consume(pageConsumer((number) => seen.add(number)));
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'requeue'], { env });
    expect(stdout).toBe('Requeued 2 messages.\n');
    expect(await seen.reaches(1)).toEqual([1]);
  });

  it.each([
    [['purge'], /purge removes for good/],
    [['purge', '--all', '--queue', QUEUE], /--all goes with neither/],
    [['requeue', '--id', '1; DROP'], /not the id/],
    [['list', '--queue', 'nowhere'], /no queue nowhere; queues are collector,/],
    [['list', 'more'], /expected one of list, requeue, purge/],
    [['remove'], /expected one of/],
    [['list', '--nonsense'], /nonsense/],
  ])('refuses %j and removes nothing', async (args, message) => {
    const { code, out, error } = await dlq(env, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(message);
    expect(JSON.parse((await dlq(env, 'list', '--json')).out)).toHaveLength(2);
  });

  it('explains itself', async () => {
    expect((await dlq(env, '--help')).out).toMatch(/npm run dlq -- requeue/);
    expect(await dlq(env)).toEqual(await dlq(env, '--help'));
  });

  it('knows no dead letters where there is no journal yet, and makes none', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dlq-'));
    const said = await dlq({ DATA_DIR: directory }, 'list');
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^No dead letters: there is no bus journal at/) });
    expect(await dlq({ DATA_DIR: directory }, 'purge', '--all', '--json')).toMatchObject({ out: '{"purged":0}\n' });
    expect(existsSync(join(directory, 'bus.sqlite'))).toBe(false);
    rmSync(directory, { recursive: true });
  });

  it('says what is wrong with a bus that it cannot open', async () => {
    expect(await dlq({ BUS_URL: 'memory:' }, 'list')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/memory:PATH/),
    });
    expect(await dlq({ BUS_URL: 'amqp:u:p@h' }, 'list')).toMatchObject({ code: 1, out: '' });
    const other = join(dirname(place.path), 'other.sqlite');
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
