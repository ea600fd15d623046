import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '..', '..', '..'),
  test: {
    include: ['test/torture/store/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
