import { createHash } from 'node:crypto'
import type { S3Limits } from '#server/platform/files/s3/s3-requests.ts'
import { startS3Server } from './s3-server.ts'

/** As the site's, but hardly pausing between tries. */
export const S3_TEST_LIMITS: S3Limits = {
  ...{
    quietMs: 20_000,
    answerMs: 8000,
    pausesMs: [1, 2, 3],
    failures: 6,
    restMs: 50,
    pageObjects: 1000,
  },
}

const isOnStore = process.env.TEST_MEDIA_STORE === 's3'
/** What has `npm run backup` take the files along, wherever they lie. */
export const WITH_MEDIA = isOnStore ? ['--with-media'] : []

let server: ReturnType<typeof startS3Server> | undefined

/** One S3 server for all sites of a test process, until it ends. */
async function sharedServer() {
  server ??= startS3Server()
  return server
}

/**
 * The environment variables of a site's store: none, but with `TEST_MEDIA_STORE=s3` those of a bucket, in which each
 * data folder has a prefix of its own.
 */
export async function mediaVariables(dataFolder: string): Promise<Record<string, string>> {
  if (!isOnStore) return {}
  const prefix = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  return (await sharedServer()).mediaVariables(prefix)
}
