import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { listPlainStores } from '#server/platform/plain-connections.ts'
import { PROTOCOL } from '#server/video/worker/worker-protocol.ts'
import type { Overview } from '#shared/schemas/desk/overview.schemas.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { openTestSite } from '#test/support/test-site.ts'

test('stores elsewhere that are asked over plain HTTP are named', () => {
  const listFor = (media: string, backups: string) =>
    listPlainStores(
      readConfig({
        ...{ MEDIA_STORE: 's3://videos', MEDIA_S3_ENDPOINT: media },
        ...{ MEDIA_S3_ACCESS_KEY_ID: 'key', MEDIA_S3_SECRET_ACCESS_KEY: 'secret' },
        ...{ BACKUP_TARGET: 's3://backups', BACKUP_S3_ENDPOINT: backups },
        ...{ BACKUP_S3_ACCESS_KEY_ID: 'key', BACKUP_S3_SECRET_ACCESS_KEY: 'secret' },
      }),
    )
  expect(listFor('https://s3.example.org', 'http://127.0.0.1:9000')).toEqual([])
  expect(listFor('http://localhost:9000', 'https://s3.example.org')).toEqual([])
  expect(listFor('http://nas.lan:9000', 'http://10.0.0.2')).toEqual([
    'Files go to nas.lan:9000 without encryption: MEDIA_S3_ENDPOINT begins with http://.',
    'Files go to 10.0.0.2 without encryption: BACKUP_S3_ENDPOINT begins with http://.',
  ])
  expect(listPlainStores(readConfig({}))).toEqual([])
})

test('workers elsewhere that come over plain HTTP are logged once, and shown to admins', async () => {
  const written: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  const proxied = { trustedProxies: ['127.0.0.1'] }
  const site = await openTestSite(proxied, { logger: { level: 'info', stream } })
  onTestFinished(() => site.close())
  const admin = await site.addMember('admin', { isAdmin: true })
  const ask = <Output>(name: string, input?: object) =>
    answerOf<Output>(site, { as: admin, name, ...(input && { input }) })
  const { id, token } = await ask<{ id: number; token: string }>('worker.create', { name: 'pc' })
  const greet = async (remoteAddress: string, headers: object = {}) => {
    const answer = await site.post('/api/worker/hello', {
      headers: { authorization: `Bearer ${token}`, ...headers },
      payload: { protocol: PROTOCOL, version: '1.0.0', encoder: 'libx264' },
      remoteAddress,
    })
    expect(answer.statusCode).toBe(200)
    return (await ask<Overview>('overview.get')).plainConnections
  }
  const named = ['Recordings go to the worker pc without encryption: it uses plain HTTP.']
  expect(await greet('127.0.0.1')).toEqual([])
  expect(await greet('192.168.1.20')).toEqual(named)
  expect(await greet('192.168.1.20')).toEqual(named)
  const lines = written.filter((line) => line.includes('a connection is not encrypted'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, workerId: id, address: '192.168.1.20' },
  ])
  const forwarded = { 'x-forwarded-for': '192.168.1.20', 'x-forwarded-proto': 'https' }
  expect(await greet('127.0.0.1', forwarded)).toEqual([])
  await greet('192.168.1.20')
  await ask('worker.end', { id })
  expect((await ask<Overview>('overview.get')).plainConnections).toEqual([])
})
