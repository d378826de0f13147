import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { runProgram } from './run-program.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const TYPES = join(REPOSITORY, 'node_modules/@types');
/** The published packages, and the dependency of one of them. */
const PACKAGES = ['packages/client', 'packages/service-auth', 'node_modules/eventsource-parser'];

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  skipLibCheck: false,
  typeRoots: [TYPES],
};
const browser = { ...strict, lib: ['es2023', 'dom'], types: [] };
export const TYPE_CHECKS = {
  'moduleResolution nodenext': { ...browser, module: 'nodenext', moduleResolution: 'nodenext', outDir: 'built' },
  'moduleResolution bundler': { ...browser, module: 'esnext', moduleResolution: 'bundler', noEmit: true },
  'the types of Node instead of the DOM': {
    ...strict,
    ...{ lib: ['es2023'], types: ['node'], skipLibCheck: true },
    ...{ module: 'nodenext', moduleResolution: 'nodenext', noEmit: true },
  },
} as const;

export interface EmptyProject {
  readonly folder: string;
  /** The compiled program, after the first type check. */
  readonly program: string;
  typeCheck(name: keyof typeof TYPE_CHECKS): Promise<void>;
}

/** Packs the packages and installs the tarballs, with a program, in a directory outside the workspace. */
export async function createEmptyProject(): Promise<EmptyProject> {
  const folder = temporaryDirectory('file');
  const tarballs = temporaryDirectory('file');
  const env = withoutNpm(process.env);
  for (const path of PACKAGES) {
    const scripts = path.startsWith('packages/') ? [] : ['--ignore-scripts'];
    await runProgram('npm', ['pack', '--pack-destination', tarballs, ...scripts], { cwd: join(REPOSITORY, path), env });
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const files = readdirSync(tarballs).map((name) => join(tarballs, name));
  await runProgram('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...files], {
    cwd: folder,
    env,
  });
  copyFileSync(join(import.meta.dirname, 'fixtures/use-packages-main.ts'), join(folder, 'program.ts'));
  return {
    folder,
    program: join(folder, 'built/program.js'),
    typeCheck: async (name) => {
      const config = join(folder, 'tsconfig.json');
      writeFileSync(config, JSON.stringify({ compilerOptions: TYPE_CHECKS[name], files: ['program.ts'] }));
      await runProgram(process.execPath, [join(REPOSITORY, 'node_modules/typescript/bin/tsc'), '-p', config]);
    },
  };
}

/** Removes the settings of the npm that runs the tests. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}
