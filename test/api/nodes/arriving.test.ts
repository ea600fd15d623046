import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, initialize, sendChunk } from '#test/support/upload-client.ts'

let nodes: TestNodes
beforeAll(async () => {
  nodes = await openTestNodes()
})
afterAll(() => nodes.close())

/** Without its head, which says when it was written. */
async function readStream(node: TestSite, id: number): Promise<Buffer> {
  const { body } = await node.get(`/arriving/${id}/media.m3u8`)
  const names = body.split('\n').filter((line) => line.endsWith('.m4s'))
  const parts: Buffer[] = []
  for (const name of names) parts.push((await node.get(`/arriving/${id}/${name}`)).rawPayload)
  return Buffer.concat(parts)
}

test('an upload is watched on a node that receives none of it, with the same bytes, also while it is prepared', async () => {
  const { one, other } = nodes
  const ann = await one.addMember('ann')
  const path = join(one.dataFolder, 'match.mkv')
  await makeClip({
    ...{ path, container: 'matroska', width: 640, height: 360, seconds: 8, keyFrameSeconds: 2 },
    filters: ['noise=alls=20:allf=t'],
  })
  const bytes = await readFile(path)
  const totalChunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  const sender = { site: one, as: ann }
  const opened = await initialize(sender, { name: 'match.mkv', size: bytes.length })
  const { uploadId } = opened.json<{ uploadId: string }>()
  const link = await one.post(`/api/uploads/${uploadId}/link`, { as: ann })
  const { videoId: id } = link.json<{ videoId: number }>()
  const send = async (chunkIndex: number) => {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const part = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    const answer = await sendChunk(sender, { uploadId, chunkIndex, totalChunks, bytes: part })
    expect(answer.statusCode).toBe(200)
  }
  const look = () => callsOf(other).ask<Arriving>(undefined, 'arriving.get', { id })
  await send(totalChunks - 1)
  for (let index = 0; index < totalChunks - 2; index++) await send(index)
  await until(async () => (await look()).plays === 'yes', { timeoutMs: 20_000 })
  expect((await look()).state).toBe('arriving')
  const [here, there] = [await readStream(one, id), await readStream(other, id)]
  expect(here.subarray(0, there.length).equals(there.subarray(0, here.length))).toBe(true)

  await send(totalChunks - 2)
  await complete(sender, { uploadId })
  expect((await look()).state).toBe('preparing')
  await until(async () => (await other.get(`/arriving/${id}/media.m3u8`)).body.includes('ENDLIST'))
  const late = await nodes.open()
  await until(async () => (await late.get(`/arriving/${id}/media.m3u8`)).body.includes('ENDLIST'))
  const all = await Promise.all([one, other, late].map((node) => readStream(node, id)))
  expect(all[0]?.length).toBeGreaterThan(there.length)
  expect(all.every((stream) => stream.equals(all[0] ?? Buffer.alloc(0)))).toBe(true)
})
