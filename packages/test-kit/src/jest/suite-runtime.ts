import { createRequire, isBuiltin } from 'node:module';
import type jestRuntime from 'jest-runtime';

// Its types describe the CommonJS form alone.
const { default: JestRuntime } = createRequire(import.meta.url)('jest-runtime') as typeof jestRuntime;

/**
 * Jest's runtime, except that the suites of a worker share packages of node_modules as Node itself loads them. Each suite
 * loading express, zod and mongodb anew took more time than its tests. Own sources stay one suite's own.
 */
export default class SuiteRuntime extends JestRuntime {
  override requireModule<Module = unknown>(
    ...[from, name, options, isRequireActual]: Parameters<jestRuntime.default['requireModule']>
  ): Module {
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
