import { run } from '../testing/run-captured.ts';

const mockRun = jest.fn<Promise<number>, unknown[]>();
jest.mock('../src/operator/doctor/run-doctor.ts', () => ({ runDoctor: mockRun }));
jest.mock('../src/operator/backup/run-backup.ts', () => ({ runBackup: mockRun }));
jest.mock('../src/operator/restore/run-restore.ts', () => ({ runRestore: mockRun }));
jest.mock('../src/operator/migrate/migrate.ts', () => ({ runMigrate: mockRun }));
jest.mock('../src/export/run-export.ts', () => ({ runExport: mockRun }));
jest.mock('../src/moderation/moderation.ts', () => ({ runModeration: mockRun, runRepublish: mockRun }));
jest.mock('../src/provision/env-file/env-file.ts', () => ({ runInit: mockRun }));
jest.mock('../src/provision/provision.ts', () => ({ runProvision: mockRun }));
jest.mock('../src/provision/analyst-token/run-analyst-token.ts', () => ({ runAnalystToken: mockRun }));
jest.mock('@lobbystats/service-kit/bus', () => ({ runDlq: mockRun }));
jest.mock('@lobbystats/collector/admin', () => ({ runDescribe: mockRun, runTry: mockRun }));
jest.mock('../src/withdrawal/run-slots.ts', () => ({ runWithdraw: mockRun }));
jest.mock('@lobbystats/simulator', () => ({ runSimulator: mockRun }));

const ENV = { DATA_DIR: '/data' };
const CONTEXT = {
  env: ENV,
  clock: expect.any(Function),
  terminal: { out: expect.any(Function), error: expect.any(Function) },
};

const cli = (...args: string[]) => run(args, ENV, () => 0);

const SIMULATOR_FLAGS =
  /--port.*--host.*--seed.*--titles.*--boards.*--entries.*--board-changes.*--players.*--open-matches.*--skew.*--latency.*--discord-token/s;

beforeEach(() => {
  mockRun.mockReset().mockResolvedValue(0);
});

it('dlq reads the password of its bus from another setting', async () => {
  await run(['dlq', 'list'], { BUS_URL: 'amqp://dlq:$(PASSWORD)@host/v', PASSWORD: 'a/b' }, () => 0);
  const env = expect.objectContaining({ BUS_URL: 'amqp://dlq:a%2Fb@host/v' }) as unknown;
  expect(mockRun).toHaveBeenCalledWith(expect.objectContaining({ env }), 'list', {});
});

describe('help', () => {
  it.each([
    ['init', /\[file\]/],
    ['provision', /fact log/],
    ['doctor', /--settings <file>.*--json/s],
    ['backup', /--to <directory>.*--settings <file>/s],
    ['restore', /--from <directory>.*--force.*--settings <file>/s],
    ['migrate', /--from <url>.*--to <file>.*--force.*--leave/s],
    ['export', /--out <directory>.*--date <date>.*--nightly.*GATEWAY_URL/s],
    ['moderate', /hide <rater> <profile>.*show.*bar <name>.*erase <name>.*republish.*ERASURE_KEY/s],
    ['dlq', /--queue <name>.*--id <id>.*--all.*--json/s],
    ['analyst-token', /--name <name>.*--list.*--revoke <name>/s],
    ['network', /describe \[options\] <source>.*try \[options\] <source>/s],
    ['slots', /withdraw \[options\] <from> <to>.*at most a day/is],
    ['simulator', SIMULATOR_FLAGS],
  ])('of %s lists its arguments and is listed in the help of the program', async (name, expected) => {
    const help = await cli(name, '--help');
    expect(help).toEqual({ code: 0, out: expect.stringMatching(expected), error: '' });
    expect(help.out).toMatch(new RegExp(`^Usage: lobbystats ${name}`));
    expect((await cli('--help')).out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    // Node reads this option after the program's name, too.
    expect(help.out).not.toContain('--env-file');
    expect(mockRun).not.toHaveBeenCalled();
  });

  it.each([
    ['backup'],
    ['restore'],
    ['migrate'],
    ['export'],
    ['moderate'],
    ['dlq'],
    ['analyst-token'],
    ['network'],
    ['slots'],
  ])('is an error of %s without arguments', async (name) => {
    const { out: error } = await cli(name, '--help');
    expect(await cli(name)).toEqual({ code: 2, out: '', error });
  });

  it('is an error without a command', async () => {
    const { out: error } = await cli('--help');
    expect(await cli()).toEqual({ code: 2, out: '', error });
  });
});

describe('wrong usage', () => {
  it('exits with 2 and prints a usage line for an unknown command', async () => {
    expect(await cli('docter')).toEqual({
      code: 2,
      out: '',
      error: expect.stringMatching(/^lobbystats: unknown command 'docter'.*\nUsage: lobbystats <command> \[options\]/),
    });
  });

  it.each([
    [['doctor', '--nonsense'], "doctor: unknown option '--nonsense'; see npx lobbystats doctor --help\n"],
    [['backup', '--to'], "backup: option '--to <directory>' argument missing; see npx lobbystats backup --help\n"],
    [['provision', 'now'], /^provision: too many arguments/],
    [['moderate', 'hide', 'alice'], /^moderate: missing required argument 'profile'/],
    [['moderate', 'praise'], /^moderate: unknown command 'praise'/],
    [['backup', '--settings', '.env'], /^backup: required option '--to <directory>' not specified/],
    [['restore', '--force'], /^restore: required option '--from <directory>' not specified/],
    [['migrate', '--to', '.env'], /^migrate: required option '--from <url>' not specified/],
    [['dlq', 'list', 'more'], /^dlq: too many arguments/],
    [['dlq', 'remove'], /^dlq: .*'remove' is invalid.*list, requeue, purge/],
    [['dlq', '--json'], /^dlq: missing required argument 'action'/],
    [['analyst-token', 'ada'], /^analyst-token: too many arguments/],
    [['simulator', '--titels', '3'], /^simulator: unknown option '--titels'.*--titles/],
  ])('exits with 2 for %j and runs nothing', async (args, message) => {
    const { code, out, error } = await cli(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(message);
    expect(mockRun).not.toHaveBeenCalled();
  });
});

describe('arguments', () => {
  it.each<[string[], unknown[]]>([
    [['init'], [undefined]],
    [['init', 'other.env'], ['other.env']],
    [['provision'], []],
    [['doctor', '--json', '--settings', '.env'], [{ json: true, settings: '.env' }]],
    [['backup', '--to=-copy'], [{ to: '-copy' }]],
    [['restore', '--from', 'copy', '--force'], [{ from: 'copy', force: true }]],
    [
      ['migrate', '--from', 'sqlite:data', '--to', '.env', '--force', '--leave'],
      [{ from: 'sqlite:data', to: '.env', force: true, leave: true }],
    ],
    [['moderate', 'hide', 'ada', 'bob'], [{ command: 'hide', rater: 'ada', profile: 'bob' }]],
    [['moderate', 'show', 'ada', 'bob'], [{ command: 'show', rater: 'ada', profile: 'bob' }]],
    [['moderate', 'bar', 'ada'], [{ command: 'bar', name: 'ada' }]],
    [['moderate', 'erase', '--', '-ada'], [{ command: 'erase', name: '-ada' }]],
    [['moderate', 'republish'], []],
    [
      ['dlq', '--json', 'purge', '--id', '1', '--id', '2'],
      ['purge', { id: ['1', '2'], json: true }],
    ],
    [['analyst-token', '--revoke', 'ann'], [{ revoke: 'ann' }]],
    [
      ['network', 'describe', 'page.html', '--as', 'titles', '--sources', 'a.json'],
      ['page.html', { as: 'titles', sources: 'a.json' }],
    ],
    [
      ['network', 'try', 'http://127.0.0.1', '--sources', 'a.json', '--save', 'b.ndjson'],
      ['http://127.0.0.1', { sources: 'a.json', save: 'b.ndjson' }],
    ],
    [
      ['slots', 'withdraw', 'a', 'b', '--dry-run'],
      ['a', 'b', { dryRun: true }],
    ],
    [['simulator', '--port', '0', '--board-changes', '0.5'], [{ port: '0', boardChanges: '0.5' }]],
  ])('of %j reach its run function, whose exit code is returned', async (args, expected) => {
    mockRun.mockResolvedValue(1);
    expect(await cli(...args)).toEqual({ code: 1, out: '', error: '' });
    expect(mockRun.mock.calls.map((call) => call.slice(0, expected.length + 1))).toEqual([[CONTEXT, ...expected]]);
  });
});
