import childProcess from 'node:child_process';
import { Server } from 'node:net';
import sqlite from 'node:sqlite';

const GUARDED: readonly [holder: object, name: string, effect: string][] = [
  [Server.prototype, 'listen', 'listen on a port'],
  [childProcess, 'spawn', 'start a process'],
  [childProcess, 'fork', 'start a process'],
  [sqlite, 'DatabaseSync', 'open a database'],
];
const ORIGINAL = Symbol.for('lobbystats.unit-guard.original');

const isUnit = !/[.][a-z]+[.]test[.]ts$/.test(expect.getState().testPath ?? '');
// Jest shares Node's modules among the suites of a worker, so each suite sets them for its own kind.
for (const [holder, name, effect] of GUARDED) {
  const current = (holder as Record<string, { [ORIGINAL]?: unknown }>)[name];
  const original = current?.[ORIGINAL] ?? current;
  Object.assign(holder, { [name]: isUnit ? refusing(effect, original) : original });
}

function refusing(effect: string, original: unknown): object {
  // A class must be constructible.
  const refuse = function () {
    throw new Error(`A unit test must not ${effect}: name the suite *.integration.test.ts`);
  };
  return Object.assign(refuse, { [ORIGINAL]: original });
}
