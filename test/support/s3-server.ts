import crypto from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { sizeOf } from '#server/platform/durable-files.ts'
import { type Offsite, readOffsite } from '#server/platform/offsite-config.ts'
import { until } from './until.ts'

const BUCKET = 'clutch'
/** What pages of a site need that browsers are sent from to the bucket; see docs/proxies.md. */
const CORS = `<CORSConfiguration><CORSRule>
  <AllowedOrigin>*</AllowedOrigin>
  <AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod>
  <AllowedHeader>Range</AllowedHeader>
  <ExposeHeader>Accept-Ranges</ExposeHeader><ExposeHeader>Content-Length</ExposeHeader>
  <ExposeHeader>Content-Range</ExposeHeader><ExposeHeader>ETag</ExposeHeader>
</CORSRule></CORSConfiguration>`

// The server encrypts where a list goes on with DES, which OpenSSL no longer has; three times with one key is the same.
const { createCipheriv, createDecipheriv } = crypto
type Cipher = [algorithm: string, key: Buffer, iv: Buffer]
const asTriple = ([algorithm, key, iv]: Cipher): Cipher =>
  algorithm === 'des' ? ['des-ede3-cbc', Buffer.concat([key, key, key]), iv] : [algorithm, key, iv]
Object.assign(crypto, {
  createCipheriv: (...input: Cipher) => createCipheriv(...asTriple(input)),
  createDecipheriv: (...input: Cipher) => createDecipheriv(...asTriple(input)),
})

/** The server answers when it has what it was sent, which may not be on the disk yet. */
function answerWhenWritten({ store }: S3rver): void {
  const { putObject, putPart } = store
  const isWritten = async (path: string, bytes: number) =>
    until(async () => ((await sizeOf(path)) ?? 0) >= bytes)
  store.putObject = async (object) => {
    const put = await putObject.call(store, object)
    await isWritten(store.getResourcePath(object.bucket, object.key, 'object'), put.size)
    return put
  }
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const put = await putPart.call(store, bucket, uploadId, partNumber, content)
    const folder = store.getResourcePath(bucket, undefined, 'uploads')
    await isWritten(join(folder, uploadId, `${partNumber}`), put.size)
    return put
  }
}

/** A real S3 server on a free port, a second place for backups in its bucket, and places for media. */
export async function startS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'clutch-s3-'))
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, directory, silent: true },
    configureBuckets: [{ name: BUCKET, configs: [CORS] }],
  })
  answerWhenWritten(server)
  const { port } = await server.run()
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const endpoint = `http://127.0.0.1:${port}`
  const offsite = readOffsite({
    BACKUP_TARGET: `s3://${BUCKET}/site`,
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: 'us-east-1',
    BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
    BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }) as Offsite
  return {
    offsite,
    endpoint,
    /** The environment variables of a site whose media lie below a prefix of the bucket. */
    mediaVariables: (prefix: string, through = endpoint) => ({
      MEDIA_STORE: `s3://${BUCKET}/${prefix}`,
      MEDIA_S3_ENDPOINT: through,
      MEDIA_S3_REGION: 'us-east-1',
      MEDIA_S3_ACCESS_KEY_ID: 'S3RVER',
      MEDIA_S3_SECRET_ACCESS_KEY: 'S3RVER',
    }),
    /** Where the objects lie on the disk. */
    directory: join(directory, BUCKET),
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
