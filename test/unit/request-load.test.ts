import { expect } from 'vitest'
import { putLoad } from '../bench/request-load.ts'
import type { ServerChild } from '../bench/server-child.ts'
import { longTest } from '../support/long-form.ts'
import { startLocalServer } from '../support/proxy.ts'

longTest('a server that answers nobody in time is measured as slow, not as quick', async () => {
  const { origin, stop } = await startLocalServer(() => {})
  const child = { origin, cpuSeconds: async () => 1 } as unknown as ServerChild
  const load = await putLoad(child, {
    what: '',
    path: '/',
    vary: (turn) => ({ path: `/${turn}` }),
    seconds: 1,
  })
  expect(load).toEqual({ perSecond: 0, p99Ms: 1000, cpuMicros: undefined })
  await stop()
})
