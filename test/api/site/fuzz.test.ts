import { expect, test } from 'vitest'
import { startServer } from '#test/support/server-process.ts'
import { checkSiteWhole } from '#test/torture/check-site.ts'
import { runFuzz } from '#test/torture/fuzz/run-fuzz.ts'

// The long form, with a look at the memory: npm run torture -- --only fuzz

test('requests that nobody planned for are answered as is documented', async () => {
  const env = { RATE_LIMIT_SCALE: '1000000', RENDITIONS: '240' }
  const server = await startServer({ env })
  try {
    const { sent, faults } = await runFuzz(server, { seed: 1, requests: 200 })
    expect(Object.fromEntries(faults)).toEqual({})
    expect(sent).toBe(200)
    expect(server.output.join('')).not.toMatch(/"level":[56]0/)
    expect(await checkSiteWhole(server.dataFolder)).toEqual([])
  } finally {
    await server.remove()
  }
}, 300_000)
