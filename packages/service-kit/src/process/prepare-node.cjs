'use strict';
// Loaded by npm scripts before their program, and written for any Node: an older one can't read TypeScript.

const required = 24;
const present = Number(process.versions.node.split('.')[0]);

if (present < required) {
  process.stderr.write(
    `Lobbystats needs Node ${required}, and this is Node ${process.versions.node}: run npm ci, without ` +
      '--omit=optional and --ignore-scripts, which installs it for npm scripts, or install it yourself\n',
  );
  process.exit(1);
}

// esbuild bundles in a process that ends, in place of a thread and a process that stay.
process.env.ESBUILD_WORKER_THREADS ??= '0';

// Compiled code is kept for later starts, of child processes too. The directory is as private as the code itself.
if (!process.env.NODE_COMPILE_CACHE && !process.env.NODE_DISABLE_COMPILE_CACHE) {
  process.env.NODE_COMPILE_CACHE = require('node:path').resolve(__dirname, '../../../../node_modules/.cache/node');
  require('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

// A signal to npm ends npm and its shell, which pass none on: without them the program stops as at a signal.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
