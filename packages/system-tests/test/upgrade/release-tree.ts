import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { productionPackages, readLock } from '../lockfile/read-lock.ts';
import { git, REPOSITORY } from './predecessor.ts';

/** Writes the files of a commit into a directory. */
export function extractRelease(commit: string, directory: string): void {
  const archive = join(directory, 'release.tar');
  git('archive', '--format=tar', `--output=${archive}`, commit);
  execFileSync('tar', ['-x', '-f', archive, '-C', directory]);
  rmSync(archive);
}

/** Gives an extracted release its dependencies: those of this repository if they have the same versions, else by `npm ci`. */
export function installRelease(directory: string): void {
  if (hasSameDependencies(directory)) linkDependencies(directory);
  else installDependencies(directory);
}

/** Whether all production dependencies of the release are installed here, each with its version. */
function hasSameDependencies(directory: string): boolean {
  return installedPaths(directory).every(([, here]) => here !== undefined);
}

/** Production dependencies of the release by path, and the path of the same version here: workspaces may have moved since. */
function installedPaths(directory: string): [path: string, here: string | undefined][] {
  const present = readLock().packages;
  const ofWorkspaces = Object.keys(present).filter((path) => isOfWorkspace(path));
  return productionPackages(readLock(join(directory, 'package-lock.json'))).map(([path, { version }]) => {
    const name = path.slice(path.indexOf('/node_modules/'));
    const moved = isOfWorkspace(path) ? ofWorkspaces.filter((other) => other.endsWith(name)) : [];
    return [path, [path, ...moved].find((other) => present[other]?.version === version)];
  });
}

/** Npm installs a package in the workspace that needs it, if others need another version. */
function isOfWorkspace(path: string): boolean {
  return path.includes('/node_modules/') && !path.startsWith('node_modules/');
}

/** The release's own packages are linked from it, and all others from this repository. */
export function linkDependencies(directory: string): void {
  const modules = join(directory, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(REPOSITORY, 'node_modules'))) {
    if (name.startsWith('.') || name === '@lobbystats') continue;
    symlinkSync(join(REPOSITORY, 'node_modules', name), join(modules, name));
  }
  for (const manifest of globSync('{packages,services}/*/package.json', { cwd: directory })) {
    const workspace = dirname(manifest);
    const { name } = JSON.parse(readFileSync(join(directory, manifest), 'utf8')) as { name: string };
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(directory, workspace), join(modules, name));
  }
  for (const [path, here] of installedPaths(directory)) {
    if (here === undefined || !isOfWorkspace(path)) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    symlinkSync(join(REPOSITORY, here), join(directory, path));
  }
}

/** Needs the package registry. */
function installDependencies(directory: string): void {
  const args = [
    'ci',
    '--omit=dev',
    '--workspaces',
    '--include-workspace-root=false',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
}
