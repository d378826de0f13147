import { runCli } from '../src/run-cli.ts';

type RunFunction = (...parameters: unknown[]) => Promise<number | object>;

const mockRun = jest.fn<ReturnType<RunFunction>, Parameters<RunFunction>>();
jest.mock('../src/operator/doctor/run-doctor.ts', () => ({ runDoctor: mockRun }));
jest.mock('../src/operator/backup/run-backup.ts', () => ({ runBackup: mockRun }));
jest.mock('../src/operator/restore/run-restore.ts', () => ({ runRestore: mockRun }));
jest.mock('../src/operator/migrate/run-migrate.ts', () => ({ runMigrate: mockRun }));
jest.mock('../src/moderation/moderation.ts', () => ({ runModeration: mockRun }));
jest.mock('../src/provision/env-file/run-init.ts', () => ({ runInit: mockRun }));
jest.mock('../src/provision/run-provision.ts', () => ({ runProvision: mockRun }));
jest.mock('../src/provision/analyst-token/analyst-token-command.ts', () => ({ runAnalystToken: mockRun }));
jest.mock('@lobbystats/message-bus', () => ({ runDlq: mockRun }));
jest.mock('@lobbystats/collector', () => ({ runCommand: mockRun }));
jest.mock('@lobbystats/simulator', () => ({ runSimulator: mockRun }));

const ENV = { DATA_DIR: '/data' };

async function cli(...args: string[]) {
  const output = { out: '', error: '' };
  const code = await runCli(args, {
    env: ENV,
    clock: () => 0,
    terminal: {
      out: (text) => void (output.out += text),
      error: (text) => void (output.error += text),
    },
  });
  return { code, ...output };
}

beforeEach(() => {
  mockRun.mockReset().mockResolvedValue(0);
});

describe('help', () => {
  it.each([
    ['init', /\[file\]/],
    ['provision', /fact log/],
    ['doctor', /--env-file <file>.*--json/s],
    ['backup', /--to <directory>.*--env-file <file>/s],
    ['restore', /--from <directory>.*--force.*--env-file <file>/s],
    ['migrate', /--from <url>.*--to <file>.*--force.*--leave/s],
    ['moderate', /hide <rater> <profile>.*show.*bar <name>.*erase <name>.*republish.*ERASURE_KEY/s],
    ['dlq', /--queue <name>.*--id <id>.*--all.*--json/s],
    ['analyst-token', /--name <name>.*--list.*--revoke <name>/s],
    ['replay', /<source>/],
    ['simulator', /--port <number>.*--discord-token <token>/s],
  ])('of %s lists its arguments and is listed in the help of the program', async (name, expected) => {
    const help = await cli(name, '--help');
    expect(help).toEqual({ code: 0, out: expect.stringMatching(expected), error: '' });
    expect(help.out).toMatch(new RegExp(`^Usage: lobbystats ${name}`));
    expect((await cli('--help')).out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(mockRun).not.toHaveBeenCalled();
  });

  it.each([['backup'], ['restore'], ['migrate'], ['moderate'], ['dlq'], ['analyst-token']])(
    'is printed by %s without arguments',
    async (name) => {
      expect(await cli(name)).toEqual(await cli(name, '--help'));
    },
  );

  it('is printed without a command', async () => {
    expect(await cli()).toEqual(await cli('--help'));
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
    [['replay'], /^replay: missing required argument 'source'/],
    [['moderate', 'hide', 'alice'], /^moderate: missing required argument 'profile'/],
    [['moderate', 'praise'], /^moderate: unknown command 'praise'/],
  ])('exits with 2 for %j and runs nothing', async (args, message) => {
    const { code, out, error } = await cli(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(message);
    expect(mockRun).not.toHaveBeenCalled();
  });
});

describe('arguments', () => {
  it.each([
    [['init'], []],
    [['init', 'other.env'], ['other.env']],
    [
      ['doctor', '--json', '--env-file', '.env'],
      ['--env-file=.env', '--json'],
    ],
    [['backup', '--to=-copy'], ['--to=-copy']],
    [
      ['restore', '--from', 'copy', '--force'],
      ['--from=copy', '--force'],
    ],
    [
      ['migrate', '--from', 'sqlite:data', '--to', '.env', '--force', '--leave'],
      ['--from=sqlite:data', '--to=.env', '--force', '--leave'],
    ],
    [
      ['moderate', 'hide', 'alice', 'bob'],
      ['hide', 'alice', 'bob'],
    ],
    [
      ['moderate', 'erase', '--', '-alice'],
      ['erase', '--', '-alice'],
    ],
    [['moderate', 'republish'], ['republish']],
    [
      ['dlq', '--json', 'purge', '--id', '1', '--id', '2'],
      ['--id=1', '--id=2', '--json', 'purge'],
    ],
    [['analyst-token', '--revoke', 'ann'], ['--revoke=ann']],
    [['replay', 'pages.ndjson'], ['--replay=pages.ndjson']],
    [
      ['simulator', '--port', '0', '--board-changes', '0.5'],
      ['--port=0', '--board-changes=0.5'],
    ],
  ])('of %j reach its run function', async (args, expected) => {
    mockRun.mockResolvedValue(1);
    expect(await cli(...args)).toEqual({ code: 1, out: '', error: '' });
    expect(mockRun.mock.calls).toEqual([[expected, ...mockRun.mock.calls[0]!.slice(1)]]);
  });

  it('provision passes the environment', async () => {
    await cli('provision');
    expect(mockRun).toHaveBeenCalledWith(ENV, expect.anything());
  });

  it('analyst-token and moderate pass the environment and the terminal', async () => {
    await cli('analyst-token', '--list');
    await cli('moderate', 'bar', 'alice');
    const parameters = [expect.objectContaining(ENV), { out: expect.any(Function), error: expect.any(Function) }];
    expect(mockRun.mock.calls.map((call) => call.slice(1))).toEqual([parameters, parameters]);
  });
});
