import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/webkit/**/*.test.ts'],
    globalSetup: ['test/support/built-client-once.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 200 } },
  },
})
