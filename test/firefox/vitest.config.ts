import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/firefox/**/*.test.ts'],
    globalSetup: ['test/support/built-client-once.ts'],
    // One Firefox at a time.
    fileParallelism: false,
    // A machine with other work takes its time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
