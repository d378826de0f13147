import { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

/** Prototypes are the same for every importer. */
const GUARDED: readonly [prototype: object, name: string, effect: string][] = [
  [Server.prototype, 'listen', 'listen on a port'],
  [ChildProcess.prototype, 'spawn', 'start a process'],
  [DatabaseSync.prototype, 'exec', 'use a database'],
  [DatabaseSync.prototype, 'prepare', 'use a database'],
];
const ORIGINAL = Symbol.for('lobbystats.unit-guard.original');

const isUnit = !/[.][a-z]+[.]test[.]ts$/.test(expect.getState().testPath ?? '');
// Jest shares Node's modules among the suites of a worker, so each suite sets them for its own kind.
for (const [prototype, name, effect] of GUARDED) {
  const current = (prototype as Record<string, { [ORIGINAL]?: unknown }>)[name];
  const original = current?.[ORIGINAL] ?? current;
  Object.assign(prototype, { [name]: isUnit ? refusing(effect, original) : original });
}

function refusing(effect: string, original: unknown): object {
  const refuse = function () {
    throw new Error(`A unit test must not ${effect}: name the suite *.integration.test.ts`);
  };
  return Object.assign(refuse, { [ORIGINAL]: original });
}
