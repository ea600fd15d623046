import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openMediaStore } from '#server/platform/files/open-media-store.ts'
import { describeMediaStore } from '#test/support/media-store-contract.ts'
import { startS3Server } from '#test/support/s3-server.ts'

let server: Awaited<ReturnType<typeof startS3Server>>
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.stop())

describeMediaStore('object storage', async (folder) => {
  const config = readConfig({ ...server.mediaVariables('site'), DATA_DIR: folder })
  return { store: await openMediaStore(config), folder, close: async () => {} }
})
