import childProcess from 'node:child_process';
import { Server } from 'node:net';
import sqlite from 'node:sqlite';

function refuse(what: string): () => never {
  // A class must be constructible.
  return function () {
    throw new Error(`A unit test must not ${what}: name the suite *.integration.test.ts`);
  };
}

// Jest shares Node's modules in a worker, so later suites of the same run are guarded, too.
Object.assign(Server.prototype, { listen: refuse('listen on a port') });
Object.assign(childProcess, { spawn: refuse('start a process'), fork: refuse('start a process') });
Object.assign(sqlite, { DatabaseSync: refuse('open a database') });
