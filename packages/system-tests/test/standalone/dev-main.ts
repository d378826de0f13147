import { spawn, type ChildProcess } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';

// `npm run dev`: restarts the whole system when a source file changes, styles and scripts of the site included. `node --watch`
// follows imports only, and loses a file that an editor or git replaces.

const repository = join(import.meta.dirname, '../../../..');
const program = 'services/standalone/src/main.ts';
const sources = [...globSync('{packages,services}/*/src', { cwd: repository }), 'infra/achievements.json'];

let system: ChildProcess | undefined = start();
let hasChanged = false;
let isEnding = false;

watch(sources, { cwd: repository, ignoreInitial: true }).on('all', (_event, path) => {
  if (!hasChanged) console.log(`\n  ${path} changed: restarting\n`);
  if (system === undefined) system = start();
  // One signal only: a second one would end the system without its graceful stop.
  else if (!hasChanged) hasChanged = system.kill('SIGTERM');
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isEnding = true;
    if (system?.kill(signal) !== true) process.exit();
  });
}

/** Starts the system with the options of this process. In its own process group, it receives signals from here alone. */
function start(): ChildProcess {
  const args = [...process.execArgv, program, ...process.argv.slice(2)];
  const started = spawn(process.execPath, args, {
    cwd: repository,
    stdio: 'inherit',
    detached: process.platform !== 'win32',
  });
  return started.on('exit', (code) => {
    if (isEnding) process.exit(code ?? 1);
    system = hasChanged ? start() : undefined;
    if (system === undefined) console.log('\n  The system has stopped: the next change starts it again.\n');
    hasChanged = false;
  });
}
