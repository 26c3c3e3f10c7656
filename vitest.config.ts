import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Many tests wait for processes and sockets: more workers than cores, or the suite takes twice as long.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.results.json' }]]
      : ['default'],
  },
})
