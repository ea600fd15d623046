import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { putLoad } from '../bench/request-load.ts'
import type { ServerChild } from '../bench/server-child.ts'
import { longTest } from '../support/long-form.ts'

longTest('a server that answers nobody in time is measured as slow, not as quick', async () => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const child = {
    origin: `http://127.0.0.1:${port}`,
    cpuSeconds: async () => 1,
  } as unknown as ServerChild
  const load = await putLoad(child, {
    what: '',
    path: '/',
    vary: (turn) => ({ path: `/${turn}` }),
    seconds: 1,
  })
  expect(load).toEqual({ perSecond: 0, p99Ms: 1000, cpuMicros: undefined })
  server.closeAllConnections()
  server.close()
})
