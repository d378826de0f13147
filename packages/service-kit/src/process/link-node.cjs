'use strict';
// Run at the end of `npm ci`, and written for any Node. npm 10 removes the link of the installed build of Node with the
// builds for other platforms, whose links have the same path. The build's headers for C++ are a third of it, and unused.

const fs = require('node:fs');
const { join } = require('node:path');

const isWindows = process.platform === 'win32';
const file = isWindows ? 'node.exe' : 'node';
const platform = `${isWindows ? 'win' : process.platform}-${process.arch}`;
const modules = join(process.cwd(), 'node_modules');
const build = [`node-${platform}`, `node-bin-${platform}`].find((name) =>
  fs.existsSync(join(modules, name, 'bin', file)),
);
const link = join(modules, '.bin', file);

if (build !== undefined && !fs.existsSync(link)) {
  fs.mkdirSync(join(modules, '.bin'), { recursive: true });
  fs.rmSync(link, { force: true });
  // Symbolic links need a privilege on Windows.
  if (isWindows) fs.linkSync(join(modules, build, 'bin', file), link);
  else fs.symlinkSync(join('..', build, 'bin', file), link);
}

if (build !== undefined) fs.rmSync(join(modules, build, 'include'), { recursive: true, force: true });
