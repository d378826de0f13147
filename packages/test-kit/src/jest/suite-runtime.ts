import { createRequire, isBuiltin } from 'node:module';
import type jestRuntime from 'jest-runtime';

// Its types describe the CommonJS form alone.
const { default: JestRuntime } = createRequire(import.meta.url)('jest-runtime') as typeof jestRuntime;

type Options = Parameters<jestRuntime.default['requireModule']>[2];

/**
 * Jest's runtime of a suite, except that Node loads the packages of node_modules, once for all suites of a worker. Each
 * suite loading express, zod and mongodb for itself took as long as its tests. Own sources are loaded for each suite.
 */
export default class SuiteRuntime extends JestRuntime {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature is Jest's
  override requireModule<Module>(from: string, name?: string, options?: Options, isRequireActual?: boolean): Module {
    if (name !== undefined && options?.isInternalModule !== true && isForeign(name)) {
      const require = createRequire(from);
      const path = require.resolve(name);
      if (path.includes('/node_modules/')) return require(path) as Module;
    }
    return super.requireModule<Module>(from, name, options, isRequireActual);
  }
}

function isForeign(name: string): boolean {
  return !/^([./]|@lobbystats[/])/.test(name) && !isBuiltin(name);
}
