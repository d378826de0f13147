import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface LintResult {
  filePath: string;
  messages: { ruleId: string | null; message: string }[];
}

const repository = join(import.meta.dirname, '../../..');
const READS_ENVIRONMENT = 'export const port = process.env["PORT"];\n';
const WAITS =
  'it("waits", async () => { expect(await new Promise((done) => setTimeout(done, 50))).toBeUndefined(); });\n';

/** A file, its content, and the rules it violates by the patterns of eslint.config.js. */
const examples: [path: string, text: string, breaks: string[]][] = [
  ['services/alpha/src/main.ts', READS_ENVIRONMENT, []],
  ['packages/cli/src/main.ts', READS_ENVIRONMENT, []],
  ['packages/system-tests/test/benchmarks/fill.ts', READS_ENVIRONMENT, []],
  ['services/alpha/src/config.ts', READS_ENVIRONMENT, ['no-restricted-properties']],
  ['services/alpha/src/titles/limit.ts', READS_ENVIRONMENT, ['no-restricted-properties']],
  ['packages/service-kit/src/config.ts', 'export const { env } = process;\n', ['no-restricted-properties']],
  [
    'services/alpha/src/port.ts',
    'import { env } from "node:process";\nexport const port = env["PORT"];\n',
    ['no-restricted-imports'],
  ],
  ['services/alpha/src/titles/now.ts', 'export const now = (): Date => new Date();\n', ['no-restricted-syntax']],
  [
    'services/alpha/src/titles/dice.ts',
    'export const roll = (): number => Math.random();\n',
    ['no-restricted-properties'],
  ],
  ['services/alpha/src/titles/retry.routes.ts', 'export const retryMs = (): number => Math.random();\n', []],
  ['services/alpha/src/domain/age.ts', 'export const now = (): Date => new Date();\n', ['no-restricted-syntax']],
  ['services/alpha/src/titles/day.ts', 'export const day = (at: number): Date => new Date(at);\n', []],
  ['services/alpha/src/context.ts', 'export const clock = (): number => Date.now();\n', []],
  ['services/alpha/src/titles/game.routes.ts', 'export const path = "/api/games";\n', ['no-restricted-syntax']],
  [
    'services/alpha/src/titles/title.routes.ts',
    'export const path = (id: string): string => `/api/title/${id}`;\n',
    ['no-restricted-syntax'],
  ],
  ['packages/contracts/src/games.ts', 'export const path = "/api/games";\n', []],
  ['services/alpha/src/service.ts', 'export default 1;\n', ['no-restricted-syntax']],
  ['services/alpha/test/waits.test.ts', WAITS, ['no-restricted-syntax']],
  [
    'services/alpha/test/neighbour.ts',
    'export type { Beta } from "../../beta/src/service.ts";\n',
    ['no-restricted-imports'],
  ],
  ['services/alpha/test/own.ts', 'export type { Alpha } from "../src/service.ts";\n', []],
];

describe('lint conventions', () => {
  let folder: string;
  let results: LintResult[];

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'conventions-')));
    const compilerOptions = { types: ['node', 'jest'], typeRoots: [join(repository, 'node_modules/@types')] };
    write('tsconfig.json', JSON.stringify({ extends: join(repository, 'tsconfig.base.json'), compilerOptions }));
    for (const [path, text] of examples) write(path, text);
    results = await lint(folder);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(examples)('report the expected violations in %s', (path, _text, breaks) => {
    const messages = results.find(({ filePath }) => filePath === join(folder, path))?.messages;
    expect(messages?.map(({ ruleId, message }) => ruleId ?? message)).toEqual(breaks);
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

function lint(folder: string): Promise<LintResult[]> {
  const program = join(repository, 'node_modules/eslint/bin/eslint.js');
  const args = [program, '--config', join(repository, 'eslint.config.js'), '--format', 'json', '.'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout.startsWith('[')) resolve(JSON.parse(stdout) as LintResult[]);
      else reject(new Error(`ESLint printed no result for ${folder}: ${stderr}`, { cause: error }));
    });
  });
}
