import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { until } from '#test/support/until.ts'
import { multipart } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann } = setUpFileMembers(site, ['ann'])
let origin: string
let path: string
let token: string

beforeAll(async () => {
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  path = join(site.dataFolder, 'replay.mp4')
  await makeClip({
    ...{ path, width: 640, height: 360, seconds: 4 },
    filters: ['noise=alls=20:allf=t'],
  })
  const input = { name: 'ShareX', scope: 'upload', days: 30 }
  const made = await site.post('/trpc/apiToken.create', { as: ann, payload: input })
  token = made.json().result.data.token
})

/** @param speed bytes per second */
function startCurl({
  speed,
  url = '/api/uploads/file?early=true',
}: {
  speed: string
  url?: string
}) {
  const parts = ['-F', 'title=The last stand', '-F', `file=@${path}`]
  const child = spawn('curl', [
    ...['-sS', '-N', '--limit-rate', speed, '-H', `Authorization: Bearer ${token}`],
    ...['-w', '%{http_code} %{size_upload}', ...parts, origin + url],
  ])
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  return {
    output: () => output,
    end: new Promise<number | null>((resolve) => child.on('close', resolve)),
    kill: () => child.kill('SIGKILL'),
  }
}

const stateOf = async (videoId: number) => {
  const input = encodeURIComponent(JSON.stringify({ id: videoId }))
  const answer = await site.get(`/trpc/arriving.get?input=${input}`)
  return answer.json().result?.data.state
}

test('curl gets the link before the last byte, sends the rest, and learns how it ended', async () => {
  const curl = startCurl({ speed: '2M' })
  await until(() => curl.output().includes('\n'))
  const [line = ''] = curl.output().split('\n')
  const { videoId, url } = JSON.parse(line.replace(/,$/, '}'))
  expect(url).toBe(`${origin}/video/${videoId}`)
  expect(curl.output()).not.toContain('state')
  expect(await stateOf(videoId)).toBe('arriving')
  expect(await curl.end).toBe(0)
  const [, json = '', status, sent] = /^(.*})\n(\d+) (\d+)$/s.exec(curl.output()) ?? []
  expect(JSON.parse(json)).toEqual({ videoId, url, state: 'completed' })
  expect(status).toBe('201')
  expect(Number(sent)).toBeGreaterThan((await readFile(path)).length)
  expect((await site.get(`/api/videos/${videoId}`)).json()).toMatchObject({
    title: 'The last stand',
    processingState: 'ready',
  })
})

test('fetch gets the link while its body is still being written', async () => {
  const { payload, headers } = multipart({ title: 'By fetch', file: await readFile(path) })
  const half = Math.floor(payload.length / 2)
  const { promise: hasLink, resolve: goOn } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(payload.subarray(0, half))
      await hasLink
      controller.enqueue(payload.subarray(half))
      controller.close()
    },
  })
  const answer = await fetch(`${origin}/api/uploads/file?early=true`, {
    ...{ method: 'POST', body, duplex: 'half' },
    headers: { ...headers, authorization: `Bearer ${token}` },
  } as RequestInit)
  expect([answer.status, answer.headers.get('location')]).toEqual([
    201,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/video\/\d+$/),
  ])
  goOn()
  expect(await answer.json()).toMatchObject({ state: 'completed' })
})

test('a file that turns out to be no video is told in the second line', async () => {
  const { payload, headers } = multipart({ title: 'None', file: Buffer.alloc(3_000_000, 'x') })
  const answer = await fetch(`${origin}/api/uploads/file?early=true`, {
    method: 'POST',
    body: payload,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const { videoId, state, error } = (await answer.json()) as Record<string, string>
  expect([state, error]).toEqual(['failed', expect.stringMatching(/^[A-Z].*\.$/)])
  expect((await site.get(`/api/videos/${videoId}`)).statusCode).toBe(404)
})

test('a sender that is killed leaves nothing', async () => {
  const curl = startCurl({ speed: '500K' })
  await until(() => curl.output().includes('\n'))
  const videoId = Number(/"videoId":(\d+)/.exec(curl.output())?.[1])
  curl.kill()
  await until(async () => (await stateOf(videoId)) === undefined, { timeoutMs: 5000 })
  expect((await site.get('/api/uploads', { as: ann })).json()).toEqual([])
})

test.each([
  ['early=maybe', 400, 'early must be true or false.'],
  ['early=true', 415, 'Send this as multipart/form-data.'],
])('%s is refused with %i before anything is kept', async (query, status, sentence) => {
  const answer = await fetch(`${origin}/api/uploads/file?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect([answer.status, await text(answer.body as never)]).toEqual([status, sentence])
})

test('without early the answer comes when the video is there', async () => {
  const curl = startCurl({ speed: '50M', url: '/api/uploads/file' })
  expect(await curl.end).toBe(0)
  expect(curl.output()).toMatch(/^{"videoId":\d+,"url":"[^"]+"}201 \d+$/)
})
