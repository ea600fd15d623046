import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { type Offsite, readOffsite } from '#server/platform/offsite-config.ts'

const BUCKET = 'clutch'

/** A real S3 server on a free port, and a second place for backups in its bucket. */
export async function startS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'clutch-s3-'))
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, directory, silent: true },
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await server.run()
  const offsite = readOffsite({
    BACKUP_TARGET: `s3://${BUCKET}/site`,
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    BACKUP_S3_REGION: 'us-east-1',
    BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
    BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }) as Offsite
  return {
    offsite,
    /** Where the objects lie on the disk. */
    directory: join(directory, BUCKET),
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
