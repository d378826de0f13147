import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const root = join(import.meta.dirname, '../../..');
const readManifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
const project = readManifest('package.json');
const workspaces = globSync('{packages,services}/*/package.json', { cwd: root }).map(readManifest);

describe('release', () => {
  it('has one version for all workspaces', () => {
    const others = workspaces.filter(({ version }) => version !== project.version);
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it.each(workspaces.map((workspace) => [workspace.name, workspace] as const))(
    'is the version of every workspace that %s depends on',
    (_name, { dependencies = {}, devDependencies = {} }) => {
      const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('@lobbystats/'),
      );
      expect(own.filter(([, version]) => version !== project.version)).toEqual([]);
    },
  );

  it.each(globSync('infra/helm/*/Chart.yaml', { cwd: root }))('is the version of %s and of its services', (path) => {
    const { version, appVersion } = parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
    expect({ version, appVersion }).toEqual({ version: project.version, appVersion: project.version });
  });

  it('has a section in the changelog', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(
      new RegExp(`^## ${RegExp.escape(project.version)} \\((unreleased|\\d{4}-\\d{2}-\\d{2})\\)$`, 'm'),
    );
  });
});
