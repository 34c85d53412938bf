import { defineConfig } from 'vitest/config';

// The same export condition as tsc: inside the repository packages are read from their sources.
const conditions = ['@holdfast/source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@holdfast/source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'plugins/*/src/**/*.test.ts', 'tools/*/src/**/*.test.ts'],
    // Several tests start the built command or a fresh clone in child processes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
