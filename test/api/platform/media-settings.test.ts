import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { mediaEnvironment } from '#server/platform/media-config.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { longTest } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { startServer } from '#test/support/server-process.ts'

const WHOLE = {
  MEDIA_STORE: 's3://clips/a//b/',
  MEDIA_S3_ENDPOINT: 'https://s3.example.org',
  MEDIA_S3_ACCESS_KEY_ID: 'id',
  MEDIA_S3_SECRET_ACCESS_KEY: 'top-secret',
}

test('without MEDIA_STORE the files of videos lie in the data folder', () => {
  expect(readConfig({}).media).toEqual({
    ...{ store: undefined, old: undefined, cacheBytes: 10_000_000_000 },
    ...{ delivery: 'stream', publicUrl: undefined },
  })
})

test('a bucket is named by its address and its own variables', () => {
  const { media } = readConfig({
    ...WHOLE,
    ...{ MEDIA_CACHE_BYTES: '0', MEDIA_DELIVERY: 'redirect', MEDIA_STORE_OLD: 'folder' },
    MEDIA_PUBLIC_URL: 'https://cdn.example.org/',
  })
  expect(media).toEqual({
    store: {
      ...{ bucket: 'clips', prefix: 'a/b/', endpoint: 'https://s3.example.org', region: 'auto' },
      ...{ accessKeyId: 'id', secretAccessKey: 'top-secret' },
    },
    ...{ old: 'folder', cacheBytes: 0, delivery: 'redirect' },
    publicUrl: 'https://cdn.example.org',
  })
  expect(readConfig(mediaEnvironment(media)).media).toEqual(media)
  const old = { ...media, store: undefined, delivery: 'stream' as const, old: media.store }
  expect(readConfig(mediaEnvironment(old)).media).toEqual(old)
})

test.each([
  [{ MEDIA_STORE: '/srv/media' }, "MEDIA_STORE must be s3://bucket/prefix, but is '/srv/media'."],
  [
    { ...WHOLE, MEDIA_S3_ENDPOINT: '' },
    "MEDIA_S3_ENDPOINT must be set, since MEDIA_STORE is 's3://clips/a//b/'.",
  ],
  [
    { ...WHOLE, MEDIA_S3_ENDPOINT: 'ftp://x' },
    "MEDIA_S3_ENDPOINT must be an http or https address, but is 'ftp://x'.",
  ],
  [
    { ...WHOLE, MEDIA_S3_SECRET_ACCESS_KEY: '' },
    "MEDIA_S3_SECRET_ACCESS_KEY must be set, since MEDIA_STORE is 's3://clips/a//b/'.",
  ],
  [{ MEDIA_CACHE_BYTES: '10 GB' }, "MEDIA_CACHE_BYTES must be a number of bytes, but is '10 GB'."],
  [
    { MEDIA_STORE_OLD: 's3://old' },
    "MEDIA_OLD_S3_ENDPOINT must be set, since MEDIA_STORE_OLD is 's3://old'.",
  ],
  [
    { MEDIA_STORE_OLD: 'elsewhere' },
    "MEDIA_STORE_OLD must be folder, or s3://bucket/prefix, but is 'elsewhere'.",
  ],
  [
    { ...WHOLE, MEDIA_STORE_OLD: 'folder', DATABASE_URL: 'postgres://clutch@127.0.0.1/clutch' },
    'MEDIA_STORE_OLD must not be folder, since DATABASE_URL is set: the nodes of a site share no folder. Take it out, and move the media first: npm run move-media -- folder s3://bucket/prefix.',
  ],
  [{ MEDIA_DELIVERY: 'redirect' }, "MEDIA_STORE must be set, since MEDIA_DELIVERY is 'redirect'."],
  [{ MEDIA_DELIVERY: 'x' }, "MEDIA_DELIVERY must be stream or redirect, but is 'x'."],
  [
    { MEDIA_PUBLIC_URL: 'https://cdn.example.org/clips' },
    "MEDIA_PUBLIC_URL must be an address without a path, such as https://cdn.example.org, but is 'https://cdn.example.org/clips'.",
  ],
])('what is wrong is said in one sentence: %o', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence)
})

const SECRET = 'hunter2-of-the-store'

test.each([
  ...['MEDIA_S3_ENDPOINT', 'MEDIA_OLD_S3_ENDPOINT', 'BACKUP_S3_ENDPOINT'].flatMap((name) => [
    [name, `https://key:${SECRET}@s3.example.org`],
    [name, `key:${SECRET}@s3.example.org`],
    [name, `https://s3.example.org/?key=${SECRET}`],
    [name, `https://s3.example.org/#${SECRET}`],
  ]),
  ...['MEDIA_STORE', 'MEDIA_STORE_OLD', 'BACKUP_TARGET'].map((name) => [
    name,
    `s3://key:${SECRET}@clips/site`,
  ]),
  ...['PUBLIC_URL', 'MEDIA_PUBLIC_URL'].map((name) => [name, `https://me:${SECRET}@example.org`]),
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL'].map((name) => [name, `mysql://me:${SECRET}@x/y`]),
  ...['PORT', 'MAX_VIDEO_BYTES', 'LOG_LEVEL'].map((name) => [name, `postgres://me:${SECRET}@x/y`]),
  ['METRICS_TOKEN', `${SECRET} x`],
  ['METRICS_TOKEN_FILE', SECRET],
  ['DATABASE_URL_FILE', `postgres://me:${SECRET}@x/y`],
  ['BACKUP_AGE_RECIPIENT', `AGE-SECRET-KEY-${SECRET}`],
  ['BACKUP_AGE_IDENTITY', SECRET],
])('%s with a secret in it is refused, and the secret is not shown: %s', (name, value) => {
  const whole = {
    ...WHOLE,
    ...{ BACKUP_TARGET: 's3://backups', BACKUP_S3_ACCESS_KEY_ID: 'id' },
    ...{ BACKUP_S3_SECRET_ACCESS_KEY: 'k', BACKUP_S3_ENDPOINT: 'https://s3.example.org' },
  }
  let sentence = ''
  try {
    readConfig({ ...whole, [name]: value })
  } catch (error) {
    sentence = (error as Error).message
  }
  expect(sentence).toContain(`${name} must`)
  expect(sentence).not.toContain(SECRET)
})

test.each([
  ['move-media', ['folder', `s3://key:${SECRET}@clips`]],
  ['move-media', [`s3://key:${SECRET}@clips`, 'folder']],
  ['move-database', [`postgre://me:${SECRET}@x/y`, '/srv/data']],
  ['restore', [`s3://key:${SECRET}@clips`]],
])('%s shows no secret of an address that it was given', async (command, args) => {
  const dataFolder = join(tmpdir(), `clutch-none-${process.pid}`)
  const refused = await runCommand(command, { dataFolder, args })
  expect(refused.code).toBeGreaterThan(0)
  expect(refused.err).toMatch(/^[^\n]+\n$/)
  expect(refused.out + refused.err).not.toContain(SECRET)
})

test('its keys can be files, which a child process does not read again', async () => {
  const path = join(tmpdir(), `clutch-key-${process.pid}`)
  await writeFile(path, 'from a file\n')
  onTestFinished(() => rm(path))
  const { MEDIA_S3_SECRET_ACCESS_KEY: _, ...others } = WHOLE
  const { media } = readConfig({ ...others, MEDIA_S3_SECRET_ACCESS_KEY_FILE: path })
  expect(media.store?.secretAccessKey).toBe('from a file')
  expect(mediaEnvironment(media)).toMatchObject({
    MEDIA_S3_SECRET_ACCESS_KEY: 'from a file',
    MEDIA_S3_SECRET_ACCESS_KEY_FILE: '',
    MEDIA_STORE_OLD: '',
  })
})

longTest(
  'a bucket that is not there stops the start, and storage that is away does not',
  async () => {
    const server = await startS3Server()
    onTestFinished(() => server.stop())
    const variables = server.mediaVariables('site')
    await expect(startServer({ env: { ...variables, MEDIA_STORE: 's3://none' } })).rejects.toThrow(
      /\nMEDIA_STORE cannot be used\. The store of videos [^\n]*'none'[^\n]*\n$/,
    )
    const nowhere = `http://127.0.0.1:${await findFreePort()}`
    const site = await startServer({ env: { ...variables, MEDIA_S3_ENDPOINT: nowhere } })
    onTestFinished(() => site.remove())
    expect((await fetch(`${site.origin}/api/ready`)).status).toBe(503)
    expect(site.output.join('')).toMatch(/"reason":"The store of videos [^"]*ECONNREFUSED/)
  },
)
