import vm from 'node:vm';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { takeFailedRequests } from './failed-requests.ts';

const { compileFunction } = vm;
/** Jest compiles the modules of a suite for the context of its environment. */
vm.compileFunction = (code, parameters, options) =>
  compileFunction(code, parameters, { ...options, parsingContext: undefined });

/** Names of symbols under which Jest keeps the tests of a suite, their listeners and their time limit as globals. */
const OF_A_SUITE = new Set<unknown>(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL']);

/** Jest sets 100, which makes each error expensive: `expect` creates one for each call. */
const FRAMES = 10;

/** A suite's environment with the globals of Node itself: packages that suites share have the same `Error` and `Array` as they. */
export default class SuiteEnvironment implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  /** The error of a test names what its pages could not load: the time limit of a wait alone explains nothing. */
  readonly handleTestEvent: NonNullable<JestEnvironment['handleTestEvent']> = (event) => {
    if (event.name === 'test_start') takeFailedRequests();
    if (event.name !== 'test_fn_failure' || !(event.error instanceof Error)) return;
    const failed = takeFailedRequests();
    if (failed.length > 0)
      event.error.stack = [event.error.stack, '', 'Failed requests of its pages:', ...failed].join('\n');
  };
  readonly #conditions: string[];
  #context: vm.Context | null = {};

  constructor({ projectConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#conditions = projectConfig.testEnvironmentOptions['customExportConditions'] as string[];
    // Else every suite would keep the tests of those before it, and pass its events to their listeners.
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (OF_A_SUITE.has(key.description)) Reflect.deleteProperty(globalThis, key);
  }

  exportConditions(): string[] {
    return this.#conditions;
  }

  getVmContext(): vm.Context | null {
    return this.#context;
  }

  setup(): Promise<void> {
    Error.stackTraceLimit = FRAMES;
    return Promise.resolve();
  }

  teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.#context = null;
    return Promise.resolve();
  }
}
