import { createRequire, enableCompileCache, isBuiltin, registerHooks } from 'node:module';
import { join } from 'node:path';
import type jestRuntime from 'jest-runtime';

// Its types describe the CommonJS form alone.
const { default: JestRuntime } = createRequire(import.meta.url)('jest-runtime') as typeof jestRuntime;

/** Workers and later runs take sources without types from there. */
enableCompileCache(join(import.meta.dirname, '../../../../node_modules/.cache/jest-node'));

// Packages that are published export their source under this condition.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, '@lobbystats/source'] }),
});

type Options = Parameters<jestRuntime.default['requireModule']>[2];
type MockArguments = Parameters<jestRuntime.default['setMock']>;

/** Modules that belong to one suite: they register its hooks. */
const PER_SUITE = /[/](?:test|test-kit[/]src)[/]/;

/**
 * Jest's runtime of a suite, except that Node loads packages and the sources of the system, once for all suites of a
 * worker. Loading express, zod, the contracts and the site for each suite took as long as its tests. A suite that mocks a
 * module of the system loads all its sources for itself.
 */
export default class SuiteRuntime extends JestRuntime {
  #mocksSources = false;

  override setMock(...mock: MockArguments): void {
    this.#mocksSources ||= !isForeign(mock[1]);
    super.setMock(...mock);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature is Jest's
  override requireModule<Module>(from: string, name?: string, options?: Options, isRequireActual?: boolean): Module {
    if (name !== undefined && options?.isInternalModule !== true && !isBuiltin(name)) {
      const require = createRequire(from);
      const path = require.resolve(name);
      if (path.includes('/node_modules/') || (!this.#mocksSources && !PER_SUITE.test(path)))
        return require(path) as Module;
    }
    return super.requireModule<Module>(from, name, options, isRequireActual);
  }
}

function isForeign(name: string): boolean {
  return !/^([./]|@lobbystats[/])/.test(name);
}
