import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferSource, EncodedPacketSink, Input, MATROSKA, MP4, QTFF } from 'mediabunny'
import { expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, initialize, sendChunk } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann } = setUpMembers(site, ['ann'])

/** Of several chunks. */
async function makeLargeClip(options: Partial<ClipOptions> = {}): Promise<Buffer> {
  const path = join(site.dataFolder, `${crypto.randomUUID()}.${options.container ?? 'mp4'}`)
  await makeClip({
    ...{ path, width: 640, height: 360, seconds: 8, keyFrameSeconds: 2 },
    filters: ['noise=alls=20:allf=t'],
    ...options,
  })
  return readFile(path)
}

async function openLink(as: TestMember, bytes: Buffer, metadata: object = {}) {
  const { uploadId } = (await initialize({ site, as }, { size: bytes.length, metadata })).json<{
    uploadId: string
  }>()
  const answer = await site.post(`/api/uploads/${uploadId}/link`, { as })
  expect(answer.statusCode).toBe(200)
  const { videoId, url } = answer.json<{ videoId: number; url: string }>()
  return { uploadId, videoId, url }
}

async function sendChunks(as: TestMember, uploadId: string, bytes: Buffer, indexes: number[]) {
  const totalChunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  for (const chunkIndex of indexes) {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const chunk = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    const sent = await sendChunk({ site, as }, { uploadId, chunkIndex, totalChunks, bytes: chunk })
    expect(sent.statusCode).toBe(200)
  }
}

const fetchFile = (id: number, file: string, as?: TestMember) =>
  site.get(`/arriving/${id}/${file}`, as ? { as } : {})

async function fetchFragments(id: number, as?: TestMember): Promise<Buffer[]> {
  const { body } = await fetchFile(id, 'media.m3u8', as)
  const names = body.split('\n').filter((line) => line.endsWith('.m4s'))
  const answers = await Promise.all(names.map((name) => fetchFile(id, name, as)))
  return answers.map(({ rawPayload }) => rawPayload)
}

async function readPackets(bytes: Buffer) {
  const input = new Input({ formats: [MP4, QTFF, MATROSKA], source: new BufferSource(bytes) })
  const tracks = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  const all: { data: string; key: boolean; at: number }[][] = []
  for (const track of tracks) {
    const packets: (typeof all)[0] = []
    if (track) {
      for await (const { data, type, timestamp } of new EncodedPacketSink(track).packets()) {
        if (timestamp < -0.0001) continue
        const at = Math.round(timestamp * 100)
        packets.push({ data: Buffer.from(data).toString('base64'), key: type === 'key', at })
      }
    }
    all.push(packets)
  }
  return all
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)

const lastOf = (bytes: Buffer) => Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES) - 1

test.each([
  ['an MP4 with its index at the end', { container: 'mp4' }],
  ['an MP4 with pictures out of order', { container: 'mp4', bFrames: 3, keyFrameSeconds: 6 }],
  ['a MOV', { container: 'mov' }],
  ['an MKV', { container: 'matroska' }],
  ['a recording without sound', { audioCodec: null }],
] as [string, Partial<ClipOptions>][])(
  'what is watched of %s while it arrives is byte for byte what the file is',
  async (_, options) => {
    const bytes = await makeLargeClip(options)
    const last = lastOf(bytes)
    const half = Math.ceil(last / 2)
    const [first, rest] = [range(0, half), range(half, last)]
    expect(half).toBeGreaterThan(1)
    const { uploadId, videoId, url } = await openLink(ann, bytes)
    expect(url).toBe(`http://localhost/video/${videoId}`)
    await sendChunks(ann, uploadId, bytes, [last, ...first])
    const { rawPayload: head } = await fetchFile(videoId, 'head.mp4')
    await until(async () => (await fetchFragments(videoId)).length > 0, { timeoutMs: 10_000 })
    const early = await fetchFragments(videoId)
    const [pictures, sounds] = await readPackets(bytes)
    const [earlyPictures] = await readPackets(Buffer.concat([head, ...early]))
    expect(earlyPictures?.length).toBeGreaterThan(0)
    expect(earlyPictures?.length).toBeLessThan(pictures?.length ?? 0)
    expect(earlyPictures).toEqual(pictures?.slice(0, earlyPictures?.length))

    await sendChunks(ann, uploadId, bytes, rest)
    await until(async () => (await fetchFile(videoId, 'media.m3u8')).body.includes('ENDLIST'), {
      timeoutMs: 10_000,
    })
    const whole = await readPackets(Buffer.concat([head, ...(await fetchFragments(videoId))]))
    expect(whole[0]).toEqual(pictures)
    expect(whole[1]).toEqual(sounds)

    const done = await complete({ site, as: ann }, { uploadId })
    expect(done.json()).toEqual({ videoId })
    expect((await site.get(`/api/videos/${videoId}`, { as: ann })).statusCode).toBe(200)
  },
)
