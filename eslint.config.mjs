import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** A floor, and the floors whose packages it may import. */
const may = (floor, ...below) => ({
  sourceTag: `floor:${floor}`,
  onlyDependOnLibsWithTags: below.map(name => `floor:${name}`),
});
/** npm packages that a floor may import: none but these. */
const only = (...names) => ({ allowedExternalImports: names });

const builtins = ['node:*'];
/** Test tools, anywhere: lint of the tests themselves is the same lint. */
const testing = ['vitest', 'fast-check'];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', 'coverage/**', 'runs/**', '**/sample/**'] },
  {
    files: ['**/*.ts', '**/*.mjs', '**/*.js'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          banTransitiveDependencies: false,
          allowCircularSelfDependency: false,
          depConstraints: [
            { ...may('core'), ...only(...builtins, ...testing, 'zod') },
            { ...may('stats'), ...only(...builtins, ...testing) },
            may('kit', 'core'),
            may('engine', 'core', 'stats', 'kit'),
            may('corpus', 'core', 'stats', 'kit', 'engine'),
            may('viewer', 'core'),
            may('cli', 'core', 'stats', 'kit', 'engine', 'corpus', 'viewer'),
            may('plugin', 'core', 'kit', 'stats', 'viewer'),
            may('tools', 'core', 'stats', 'kit', 'engine', 'corpus', 'viewer', 'cli', 'plugin', 'tools'),
            // Of the plugins, only metrics compute statistics and only one report shows the viewer.
            ...['dataset', 'perturbation', 'model', 'trajectory', 'executor'].map(kind => ({
              sourceTag: `kind:${kind}`,
              onlyDependOnLibsWithTags: ['floor:core', 'floor:kit'],
            })),
            { sourceTag: 'kind:metric', onlyDependOnLibsWithTags: ['floor:core', 'floor:kit', 'floor:stats'] },
            { sourceTag: 'kind:report', onlyDependOnLibsWithTags: ['floor:core', 'floor:kit', 'floor:viewer'] },
          ],
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-asserted-optional-chain': 'error',
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'Name what is exported: an index is a table of contents.' },
      ],
    },
  },
  {
    // Pure by contract: chance and time are arguments, and nothing outside is touched.
    files: ['plugins/{perturbation,metric}-*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Take chance from the argument.' },
        { object: 'Date', property: 'now', message: 'Take time from an argument.' },
      ],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*', 'undici'], message: 'Operators and metrics touch nothing outside.' }] },
      ],
      'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout'],
    },
  },
  {
    // The command is the only code that prints or exits; the tools are commands too.
    files: ['packages/{core,kit,stats,engine,corpus,viewer}/src/**/*.ts', 'plugins/*/src/**/*.ts'],
    ignores: ['**/*.test.ts', 'packages/kit/src/testing/**', 'plugins/{perturbation,metric}-*/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'exit', message: 'Only the command exits.' },
        { object: 'process', property: 'stdout', message: 'Only the command prints.' },
        { object: 'process', property: 'stderr', message: 'Only the command prints.' },
        { object: 'Math', property: 'random', message: 'Take chance from an argument.' },
      ],
    },
  },
  {
    files: ['plugins/*/src/**/*.ts'],
    ignores: ['plugins/{model,executor,perturbation,metric}-*/**', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['undici', 'node:http', 'node:https', 'node:net', 'node:tls', 'node:dgram', 'node:child_process'].map(
            name => ({ name, message: 'Only models and executors touch the network.' }),
          ),
        },
      ],
    },
  },
  { files: ['tools/**', '.ci/**', 'packages/*/bin/**', '*.config.*'], rules: { 'no-console': 'off' } },
);
