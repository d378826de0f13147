import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const MAIN = join(import.meta.dirname, '../src/main.ts');

it('prints no fault when the reader of its output ends early', async () => {
  const program = spawn(process.execPath, [MAIN, '--help']);
  program.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(program.stderr), once(program, 'exit')]);
  expect([errors, code]).toEqual(['', 0]);
});
