import prettier from 'eslint-config-prettier';
import jest from 'eslint-plugin-jest';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import typescript from 'typescript-eslint';

const TYPESCRIPT = ['{packages,services}/*/{src,test,testing}/**/*.ts'];
const TESTS = ['{packages,services}/*/{test,testing}/**/*.ts'];
const MAINS = ['**/main.ts', '**/*-main.ts'];
/** They measure time, and wait for some. */
const BENCHMARKS = 'packages/system-tests/test/benchmarks/**/*.ts';
const ISLANDS = 'packages/site/src/islands/**/*.ts';
const SDK = ['packages/service-auth/src/*.{js,mjs}'];

const DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: a name that is chosen once can be searched for.',
};
const PUBLIC_PATH = {
  selector: ':matches(Literal[value=/^\\u002fapi\\u002f./], TemplateElement[value.raw=/^\\u002fapi\\u002f./])',
  message: 'Public paths stand in packages/contracts alone: take the path from the operation.',
};
const SLEEP = {
  selector: 'CallExpression[callee.name="setTimeout"][arguments.0.type="Identifier"]',
  message: 'Tests do not sleep: wait for the thing itself.',
};
const OTHER_WORKSPACE = {
  regex: '^(\\.\\./)+([^./]+/)*[^./]+/(src|test|testing)/',
  message: 'Tests import another workspace by its name.',
};
const CLOCK = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: 'Product logic is pure: take the clock as an argument.',
};
const ENVIRONMENT = {
  object: 'process',
  property: 'env',
  message: 'Only a main.ts reads the environment: take the value from the config.',
};

export default defineConfig(
  globalIgnores(['.ci-tools/', 'data/', 'data-dev/', 'coverage/', '**/dist/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'lobbystats/every-file',
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-constant-binary-expression': 'error',
      'no-control-regex': 'error',
      'no-empty': 'error',
      'no-empty-character-class': 'error',
      'no-fallthrough': 'error',
      'no-irregular-whitespace': 'error',
      'no-loss-of-precision': 'error',
      'no-misleading-character-class': 'error',
      'no-prototype-builtins': 'error',
      'no-self-assign': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unsafe-finally': 'error',
      'no-unsafe-optional-chaining': 'error',
      'no-useless-assignment': 'error',
      'no-useless-backreference': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme'], location: 'anywhere' }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'preserve-caught-error': 'error',
      'use-isnan': 'error',
      'valid-typeof': 'error',
    },
  },
  {
    name: 'lobbystats/typescript',
    files: TYPESCRIPT,
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // An asynchronous port over a synchronous driver must reject, never throw at its caller: `async` without `await` is how.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:process', importNames: ['env'], message: ENVIRONMENT.message }] },
      ],
      'no-restricted-properties': ['error', ENVIRONMENT],
      'no-restricted-syntax': ['error', DEFAULT_EXPORT],
    },
  },
  {
    name: 'lobbystats/services',
    files: ['services/*/src/**/*.ts', 'packages/{cli,site}/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', DEFAULT_EXPORT, PUBLIC_PATH] },
  },
  {
    name: 'lobbystats/generated',
    files: ['packages/client/src/generated/*.ts'],
    // A model for each response of the API.
    rules: { 'max-lines': 'off' },
  },
  {
    name: 'lobbystats/rows',
    files: ['packages/service-kit/src/sqlite/**/*.ts'],
    // A row's type is the caller's word for the columns that its SQL names.
    rules: { '@typescript-eslint/no-unnecessary-type-parameters': 'off' },
  },
  {
    name: 'lobbystats/product-logic',
    files: ['services/*/src/*/**/*.ts', 'packages/site/src/**/*.ts'],
    // Other roles have a suffix.
    ignores: ['services/*/src/*/**/*.*.ts', 'services/standalone/**/*.ts', ISLANDS],
    rules: {
      'no-restricted-properties': [
        'error',
        ENVIRONMENT,
        { object: 'Date', property: 'now', message: CLOCK.message },
        { object: 'Math', property: 'random', message: 'Product logic is pure: take the randomness as an argument.' },
      ],
      'no-restricted-syntax': ['error', DEFAULT_EXPORT, PUBLIC_PATH, CLOCK],
    },
  },
  {
    name: 'lobbystats/programs',
    files: [...MAINS, BENCHMARKS],
    rules: { 'no-console': 'off', 'no-restricted-imports': 'off', 'no-restricted-properties': 'off' },
  },
  {
    name: 'lobbystats/tests',
    files: TESTS,
    ignores: [BENCHMARKS],
    extends: [jest.configs['flat/recommended']],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Jest's asymmetric matchers and parsed JSON bodies are `any`; the expectation is what checks them.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'fc.assert'] }],
      'jest/unbound-method': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'node:timers/promises', importNames: ['setTimeout'], message: SLEEP.message }],
          patterns: [OTHER_WORKSPACE],
        },
      ],
      'no-restricted-syntax': ['error', DEFAULT_EXPORT, SLEEP],
    },
  },
  {
    name: 'lobbystats/contract-suites',
    files: ['**/test/**/*.contract.ts'],
    rules: { 'jest/no-export': 'off' },
  },
  {
    name: 'lobbystats/test-tools',
    files: ['packages/test-kit/src/**/*.ts', 'packages/system-tests/test/**/*.ts'],
    rules: {
      'no-restricted-properties': 'off',
      // Jest's mocks and asymmetric matchers are `any` here, too.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    name: 'lobbystats/jest-plugins',
    // Jest takes each by its default export.
    files: ['packages/test-kit/src/jest/{*-sequencer,files-in-memory,suite-*}.ts'],
    rules: { 'no-restricted-syntax': ['error', SLEEP] },
  },
  {
    name: 'lobbystats/sdk',
    files: SDK,
    languageOptions: { sourceType: 'module', globals: globals.browser },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': 'error',
      'no-restricted-syntax': ['error', DEFAULT_EXPORT],
      'no-restricted-globals': ['error', 'event', 'name', 'status'],
    },
  },
  {
    name: 'lobbystats/configuration',
    files: ['*.js', '.*.cjs', 'packages/test-kit/jest/*.js', 'packages/service-kit/src/process/*.cjs'],
    languageOptions: { globals: globals.node },
  },
  prettier,
);
