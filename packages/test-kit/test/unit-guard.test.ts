import { fork, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

it.each([
  ['listen on a port', () => createServer().listen(0)],
  ['start a process', () => spawn(process.execPath, ['--version'])],
  ['start a process', () => fork('main.js')],
  ['use a database', () => new DatabaseSync(':memory:').exec('')],
  ['use a database', () => new DatabaseSync(':memory:').prepare('SELECT 1')],
])('a unit test can not %s', (what, attempt) => {
  expect(attempt).toThrow(`A unit test must not ${what}: name the suite *.integration.test.ts`);
});
