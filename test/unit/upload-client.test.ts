import { describe, expect, test } from 'vitest'
import { thumbnailProblem } from '#client/create/thumbnail-problem.ts'
import { fileKindProblem } from '#client/create/upload/form/file-bytes.ts'
import {
  chunkCountOf,
  formatMegabytes,
  hasVideoName,
  VIDEO_ACCEPT,
  videoFileProblem,
} from '#client/create/upload/form/video-file.ts'
import { atMostEvery } from '#client/create/upload/transfer/at-most-every.ts'
import { createSpeedMeter, formatTimeLeft } from '#client/create/upload/transfer/speed-meter.ts'
import {
  createUploadEngine,
  type UploadSubmission,
} from '#client/create/upload/transfer/upload-engine.ts'
import { createUploadMemory } from '#client/create/upload/transfer/upload-memory.ts'
import {
  percentOf,
  secondsLeftOf,
  type UploadProgress,
} from '#client/create/upload/transfer/upload-progress.ts'
import {
  type EngineTransport,
  UploadCallError,
} from '#client/create/upload/transfer/upload-transport.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

const MB = 1024 * 1024
const TAKEN = 'MP4, MOV, 3GP, MKV, WebM, AVI, FLV, TS, M2TS, MPG, VOB, WMV or OGV'

/** A server in memory: what it stored can be looked at, and any call can be made to fail. */
function fakeServer() {
  const uploads = new Map<
    string,
    { received: Set<number>; state: 'open' | 'done'; title: string }
  >()
  const calls: string[] = []
  const failures: { call: string; error: Error }[] = []
  let [atOnce, most] = [0, 0]
  const record = async (call: string) => {
    calls.push(call)
    await Promise.resolve()
    const index = failures.findIndex((failure) => call.startsWith(failure.call))
    const [failure] = index < 0 ? [] : failures.splice(index, 1)
    if (failure) throw failure.error
  }
  const transport: EngineTransport = {
    initialize: async ({ resumeUploadId, metadata }) => {
      await record(`initialize ${resumeUploadId ?? 'new'}`)
      const earlier = uploads.get(resumeUploadId ?? '')
      if (resumeUploadId && earlier?.state === 'open') {
        const received = [...earlier.received]
        return { uploadId: resumeUploadId, chunkSize: UPLOAD_CHUNK_BYTES, received, resumed: true }
      }
      const uploadId = `upload-${uploads.size + 1}`
      uploads.set(uploadId, { received: new Set(), state: 'open', title: metadata.title })
      return { uploadId, chunkSize: UPLOAD_CHUNK_BYTES, received: [], resumed: false }
    },
    sendChunk: async ({ uploadId, chunkIndex, totalChunks, chunk }, { signal, onProgress }) => {
      onProgress(chunk.size / 2)
      most = Math.max(most, ++atOnce)
      await record(`chunk ${chunkIndex}/${totalChunks} ${chunk.size}`).finally(() => atOnce--)
      signal.throwIfAborted()
      onProgress(chunk.size + 300)
      uploads.get(uploadId)?.received.add(chunkIndex)
    },
    complete: async ({ uploadId, thumbnailUrl }) => {
      const upload = uploads.get(uploadId)
      if (upload) upload.state = 'done'
      await record(`complete ${uploadId} ${thumbnailUrl}`)
      return { videoId: 7 }
    },
    cancel: async ({ uploadId }) => {
      await record(`cancel ${uploadId}`)
      uploads.delete(uploadId)
    },
  }
  const failNext = (call: string, error: Error, times = 1) => {
    for (let i = 0; i < times; i++) failures.push({ call, error })
  }
  return { transport, calls, uploads, failNext, mostAtOnce: () => most }
}

function memoryStorage(): Storage {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}

/** @param tickMs how much later it is each time the engine looks at the clock */
function setUp(storage = memoryStorage(), tickMs = 0, chunksAtOnce = () => 1) {
  const server = fakeServer()
  const pauses: number[] = []
  let time = 0
  const engine = createUploadEngine({
    transport: server.transport,
    memory: createUploadMemory(storage),
    chunksAtOnce,
    pause: async (milliseconds, signal) => {
      pauses.push(milliseconds)
      time += milliseconds
      signal.throwIfAborted()
    },
    now: () => (time += tickMs),
  })
  const seen: UploadProgress[] = []
  engine.subscribe(() => seen.push(engine.progress()))
  return { ...server, engine, pauses, seen, storage }
}

function submission(change: Partial<UploadSubmission> = {}): UploadSubmission {
  const file = new File([new Uint8Array(5 * MB)], 'match.mp4', {
    type: 'video/mp4',
    lastModified: 1,
  })
  const details = { title: 'Match', description: '', category: 'CS2', tags: [], isAnonymous: false }
  return { userId: 3, file, details, ...change } as UploadSubmission
}

const lost = new UploadCallError('The connection to the server was lost.')
const answer = (status: number, body: string) =>
  new UploadCallError(`Server error: ${status} ${body}`, { status })
const states = (seen: UploadProgress[]) =>
  seen.map((progress) => progress.state).filter((state, index, all) => state !== all[index - 1])

describe('the upload engine', () => {
  test('sends every chunk in order, then completes', async () => {
    const { engine, calls, seen } = setUp()
    expect(await engine.start(submission())).toEqual({ kind: 'complete', videoId: 7 })
    expect(calls).toEqual([
      'initialize new',
      `chunk 0/3 ${2 * MB}`,
      `chunk 1/3 ${2 * MB}`,
      `chunk 2/3 ${MB}`,
      'complete upload-1 null',
    ])
    expect(states(seen)).toEqual(['preparing', 'uploading', 'processing', 'complete'])
    expect(engine.progress()).toMatchObject({ chunksStored: 3, chunkCount: 3, canCancel: false })
    expect(percentOf(engine.progress())).toBe(100)
  })

  test('progress only grows, within chunks too, and never counts the form around a chunk', async () => {
    const { engine, seen } = setUp(memoryStorage(), 1000)
    await engine.start(submission())
    const sent = seen.map((progress) => progress.bytesSent)
    expect(sent).toEqual(sent.toSorted((a, b) => a - b))
    expect(sent).toContain(MB)
    expect(Math.max(...sent)).toBe(5 * MB)
  })

  test('a page is told of bytes twice a second, however fast chunks are sent', async () => {
    const { engine, calls, seen } = setUp()
    const file = new File([new Uint8Array(60 * MB)], 'match.mp4')
    expect(await engine.start(submission({ file }))).toMatchObject({ kind: 'complete' })
    expect(calls.filter((call) => call.startsWith('chunk'))).toHaveLength(30)
    // The clock stands still.
    expect(seen.filter(({ state }) => state === 'uploading').length).toBeLessThanOrEqual(2)
    expect(seen.find(({ state }) => state === 'processing')).toMatchObject({
      chunksStored: 30,
      bytesSent: 60 * MB,
    })
  })

  test('on a quick line up to four chunks are sent at once, begun in their order', async () => {
    const { engine, calls, uploads, mostAtOnce } = setUp(memoryStorage(), 0, () => 4)
    const file = new File([new Uint8Array(39 * MB)], 'match.mp4')
    expect(await engine.start(submission({ file }))).toMatchObject({ kind: 'complete' })
    const chunks = calls.filter((call) => call.startsWith('chunk'))
    expect(chunks).toEqual(
      Array.from({ length: 20 }, (_, index) => `chunk ${index}/20 ${index === 19 ? MB : 2 * MB}`),
    )
    expect(mostAtOnce()).toBe(4)
    expect(uploads.get('upload-1')?.received.size).toBe(20)
    expect(engine.progress()).toMatchObject({ chunksStored: 20, bytesSent: 39 * MB })
  })

  test('on a line that takes a second for a chunk, one is sent after the other', async () => {
    const { engine, mostAtOnce } = setUp(memoryStorage(), 1000, () => 4)
    const file = new File([new Uint8Array(20 * MB)], 'match.mp4')
    expect(await engine.start(submission({ file }))).toMatchObject({ kind: 'complete' })
    expect(mostAtOnce()).toBe(1)
  })

  test('of several chunks at once, one that fails stops the others, and only what is missing is sent again', async () => {
    const { engine, failNext, calls, uploads } = setUp(memoryStorage(), 0, () => 4)
    const file = new File([new Uint8Array(40 * MB)], 'match.mp4')
    failNext('chunk 9/', answer(403, 'no'))
    const message = 'Failed to upload chunk 9: Server error: 403 no'
    expect(await engine.start(submission({ file }))).toEqual({ kind: 'error', message })
    const count = calls.length
    const received = new Set(uploads.get('upload-1')?.received)
    expect(received.size).toBeLessThan(14)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(calls).toHaveLength(count)
    calls.length = 0
    expect(await engine.start(submission({ file }))).toMatchObject({ kind: 'complete' })
    const again = calls.filter((call) => call.startsWith('chunk'))
    expect(again).toHaveLength(20 - received.size)
    expect(again[0]).toMatch(/^chunk 9\//)
  })

  test('of several chunks at once, each is tried again by itself', async () => {
    const { engine, failNext, pauses, calls } = setUp(memoryStorage(), 0, () => 4)
    const file = new File([new Uint8Array(40 * MB)], 'match.mp4')
    failNext('chunk 7/', lost)
    failNext('chunk 8/', answer(503, 'restarting'))
    expect(await engine.start(submission({ file }))).toMatchObject({ kind: 'complete' })
    expect(pauses).toEqual([1000, 1000])
    expect(calls.filter((call) => call.startsWith('chunk'))).toHaveLength(22)
  })

  test('cancelling stops all chunks that are under way', async () => {
    const { engine, calls } = setUp(memoryStorage(), 0, () => 4)
    const file = new File([new Uint8Array(40 * MB)], 'match.mp4')
    const running = engine.start(submission({ file }))
    while (!calls.some((call) => call.startsWith('chunk 8'))) await Promise.resolve()
    engine.cancel()
    expect(await running).toEqual({ kind: 'stopped' })
    const count = calls.length
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(calls).toHaveLength(count)
  })

  test('a chunk is tried three times more with growing pauses', async () => {
    const { engine, failNext, pauses, seen, calls } = setUp()
    failNext('chunk 1', lost, 3)
    expect(await engine.start(submission())).toMatchObject({ kind: 'complete' })
    expect(pauses).toEqual([1000, 3000, 6000])
    expect(calls.filter((call) => call.startsWith('chunk 1'))).toHaveLength(4)
    expect(seen.some((progress) => progress.interrupted)).toBe(true)
    expect(engine.progress().interrupted).toBe(false)
  })

  test('a server that is away is waited for with growing pauses, for an hour', async () => {
    const { engine, failNext, pauses, seen } = setUp()
    failNext('chunk 1', answer(502, 'away'), 20)
    failNext('chunk 1', lost, 1000)
    expect(await engine.start(submission())).toMatchObject({ kind: 'error' })
    expect(pauses.slice(0, 8)).toEqual([1000, 3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000])
    const waited = pauses.reduce((sum, pause) => sum + pause, 0)
    expect(waited).toBeGreaterThanOrEqual(3_600_000)
    expect(waited).toBeLessThan(3_661_000)
    const waiting = seen.filter(({ interrupted }) => interrupted)
    expect(waiting.length).toBeGreaterThan(60)
    expect(waiting.every(({ bytesPerSecond }) => bytesPerSecond === undefined)).toBe(true)
  })

  test('after the third retry the error names the chunk and what the server said', async () => {
    const { engine, failNext } = setUp()
    failNext('chunk 1', answer(500, 'busy'), 4)
    const message = 'Failed to upload chunk 1: Server error: 500 busy'
    expect(await engine.start(submission())).toEqual({ kind: 'error', message })
    expect(engine.progress()).toMatchObject({ state: 'error', message, canCancel: false })
  })

  test('an error without a message is "Upload was cancelled or failed"', async () => {
    const { engine, failNext } = setUp()
    failNext('chunk 0', new Error(''))
    const message = 'Upload was cancelled or failed'
    expect(await engine.start(submission())).toEqual({ kind: 'error', message })
  })

  test.each([400, 401, 403, 404, 409, 410, 413, 415])('a %i is not tried again', async (status) => {
    const { engine, failNext, pauses } = setUp()
    failNext('chunk 0', answer(status, 'no'))
    expect(await engine.start(submission())).toMatchObject({ kind: 'error' })
    expect(pauses).toEqual([])
  })

  test('Retry-After makes a pause longer, never shorter', async () => {
    const { engine, failNext, pauses } = setUp()
    failNext('chunk 0', new UploadCallError('slow down', { status: 429, retryAfterSeconds: 5 }), 2)
    failNext('chunk 0', new UploadCallError('slow down', { status: 429, retryAfterSeconds: 5 }))
    await engine.start(submission())
    expect(pauses).toEqual([5000, 5000, 6000])
  })

  test('starting again after an error sends only what is missing', async () => {
    const { engine, failNext, calls } = setUp()
    failNext('chunk 2', answer(500, 'busy'), 4)
    await engine.start(submission())
    calls.length = 0
    expect(await engine.start(submission())).toMatchObject({ kind: 'complete' })
    expect(calls).toEqual(['initialize upload-1', `chunk 2/3 ${MB}`, 'complete upload-1 null'])
    expect(engine.progress().resumed).toBe(true)
  })

  test('after a reload the same file is resumed, another one is not', async () => {
    const before = setUp()
    before.failNext('chunk 1', answer(500, 'busy'), 4)
    await before.engine.start(submission())

    const engine = createUploadEngine({
      transport: before.transport,
      memory: createUploadMemory(before.storage),
    })
    before.calls.length = 0
    const other = new File(['x'], 'match.mp4', { type: 'video/mp4', lastModified: 2 })
    await engine.start(submission({ file: other }))
    expect(before.calls[0]).toBe('initialize new')
    await engine.start(submission({ userId: 4 }))
    expect(before.calls.filter((call) => call.startsWith('initialize'))[1]).toBe('initialize new')
    before.calls.length = 0
    await engine.start(submission())
    expect(before.calls.slice(0, 2)).toEqual(['initialize upload-1', `chunk 1/3 ${2 * MB}`])
  })

  test('an upload that the server does not know any more is started again', async () => {
    const { engine, failNext, calls } = setUp()
    failNext('chunk 1', answer(410, 'This upload has expired. Please start it again.'))
    await engine.start(submission())
    calls.length = 0
    await engine.start(submission())
    expect(calls[0]).toBe('initialize new')
  })

  test('a lost answer to complete does not make a second video', async () => {
    const { engine, failNext, calls } = setUp()
    failNext('complete', answer(500, 'busy'), 4)
    expect(await engine.start(submission())).toEqual({
      kind: 'error',
      message: 'Failed to complete upload: Server error: 500 busy',
    })
    calls.length = 0
    expect(await engine.start(submission())).toEqual({ kind: 'complete', videoId: 7 })
    expect(calls).toEqual(['initialize upload-1', 'complete upload-1 null', 'cancel upload-2'])
  })

  test('while the server cannot say what became of it, it is not sent a second time', async () => {
    const { engine, failNext, calls } = setUp()
    failNext('complete', answer(500, 'busy'), 8)
    await engine.start(submission())
    calls.length = 0
    expect(await engine.start(submission())).toMatchObject({
      message: 'Failed to complete upload: Server error: 500 busy',
    })
    expect(calls.filter((call) => call.startsWith('chunk'))).toEqual([])
    expect(calls.at(-1)).toBe('cancel upload-2')
    expect(await engine.start(submission())).toEqual({ kind: 'complete', videoId: 7 })
  })

  test('a restart of the server while completing is not seen', async () => {
    const { engine, failNext, pauses } = setUp()
    failNext('complete', lost)
    failNext('complete', answer(503, 'restarting'))
    expect(await engine.start(submission())).toEqual({ kind: 'complete', videoId: 7 })
    expect(pauses).toEqual([1000, 3000])
  })

  test('a file refused by the server says why and is not resumed', async () => {
    const { engine, failNext, calls } = setUp()
    failNext('complete', new UploadCallError('It has no picture.', { status: 422 }))
    expect(await engine.start(submission())).toMatchObject({
      message: 'Failed to complete upload: It has no picture.',
    })
    calls.length = 0
    await engine.start(submission())
    expect(calls[0]).toBe('initialize new')
  })

  test('three open uploads are distinguished from other refusals', async () => {
    const { engine, failNext, pauses } = setUp()
    failNext('initialize', new UploadCallError('You have 3 unfinished uploads.', { status: 429 }))
    await engine.start(submission())
    expect(engine.progress()).toMatchObject({
      state: 'error',
      tooManyOpen: true,
      message: 'Failed to initialize upload: You have 3 unfinished uploads.',
    })
    expect(pauses).toEqual([])
    failNext('initialize', new UploadCallError('The file is larger than 500MB.', { status: 413 }))
    await engine.start(submission())
    expect(engine.progress().tooManyOpen).toBe(false)
  })

  test('cancelling aborts the chunk in flight, discards the upload and says so', async () => {
    const { engine, calls } = setUp(memoryStorage(), 1000)
    const running = engine.start(submission())
    engine.subscribe(() => {
      if (engine.progress().chunksStored === 1) engine.cancel()
    })
    expect(await running).toEqual({ kind: 'stopped' })
    expect(engine.progress()).toMatchObject({ state: 'idle', message: 'Upload cancelled by user' })
    expect(calls).toContain('cancel upload-1')
    expect(calls.some((call) => call.startsWith('chunk 2'))).toBe(false)
    calls.length = 0
    await engine.start(submission())
    expect(calls[0]).toBe('initialize new')
  })

  test('cancelling before the server has answered discards the upload as soon as it is known', async () => {
    const { engine, calls, uploads } = setUp()
    const running = engine.start(submission())
    while (calls.length === 0) await Promise.resolve()
    engine.cancel()
    expect(await running).toEqual({ kind: 'stopped' })
    expect(calls).toEqual(['initialize new', 'cancel upload-1'])
    expect(engine.progress()).toMatchObject({ state: 'idle', resumed: false })
    await Promise.resolve()
    expect(uploads.size).toBe(0)
  })

  test('once the server is finishing, nothing can be cancelled', async () => {
    const { engine, calls } = setUp()
    engine.subscribe(() => {
      const { state, canCancel } = engine.progress()
      if (state === 'processing' && !canCancel) engine.cancel()
    })
    expect(await engine.start(submission())).toMatchObject({ kind: 'complete' })
    expect(calls.some((call) => call.startsWith('cancel'))).toBe(false)
  })

  test('leaving the page stops the sending and keeps what arrived', async () => {
    const { engine, calls } = setUp(memoryStorage(), 1000)
    const running = engine.start(submission())
    const stop = engine.subscribe(() => {
      if (engine.progress().chunksStored === 1) engine.leave()
    })
    expect(await running).toEqual({ kind: 'stopped' })
    stop()
    expect(calls.some((call) => call.startsWith('cancel'))).toBe(false)
  })

  test('a file that can no longer be read says so at once', async () => {
    const { engine, pauses } = setUp()
    const file = new File([new Uint8Array(MB)], 'gone.mp4')
    file.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadable')) }) as never
    expect(await engine.start(submission({ file }))).toEqual({
      kind: 'error',
      message: 'Failed to upload chunk 0: The file was changed, moved or deleted. Choose it again.',
    })
    expect(pauses).toEqual([])
  })

  test('a second start while one runs is refused', async () => {
    const { engine, calls } = setUp()
    const running = engine.start(submission())
    expect(await engine.start(submission())).toEqual({ kind: 'stopped' })
    await running
    expect(calls.filter((call) => call.startsWith('initialize'))).toHaveLength(1)
  })
})

describe('the upload memory', () => {
  const file = { userId: 1, name: 'a.mp4', size: 5, lastModified: 9 }

  test('remembers for a day, and then no longer', () => {
    let time = 0
    const memory = createUploadMemory(memoryStorage(), () => time)
    memory.remember(file, { uploadId: 'a', completing: false })
    expect(memory.recall(file)).toMatchObject({ uploadId: 'a' })
    time = 24 * 3_600_000
    expect(memory.recall(file)).toBeUndefined()
  })

  test('forgets an upload that was given up elsewhere', () => {
    const memory = createUploadMemory(memoryStorage())
    memory.remember(file, { uploadId: 'a', completing: false })
    memory.forgetUpload('b')
    expect(memory.recall(file)).toBeDefined()
    memory.forgetUpload('a')
    expect(memory.recall(file)).toBeUndefined()
  })

  test('survives damaged, full and missing storage', () => {
    const storage = memoryStorage()
    storage.setItem('clutch:upload:1:5:9:a.mp4', '{')
    expect(createUploadMemory(storage).recall(file)).toBeUndefined()
    storage.setItem = () => {
      throw new Error('full')
    }
    createUploadMemory(storage).remember(file, { uploadId: 'a', completing: false })
    createUploadMemory(undefined).remember(file, { uploadId: 'a', completing: false })
    expect(createUploadMemory(undefined).recall(file)).toBeUndefined()
  })
})

describe('a chosen file', () => {
  const facts = (name: string, size = 1, type = '') => ({ name, size, type })

  test.each(['a.mkv', 'a.AVI', 'a.flv', 'a.ts', 'a.M2TS', 'a.vob', 'a.wmv', 'a.ogv', 'a.3gp'])(
    '%s has the name of a video',
    (name) => {
      expect(hasVideoName(name)).toBe(true)
      expect(VIDEO_ACCEPT.split(',')).toContain(name.slice(1).toLowerCase())
    },
  )

  test('an empty file and one over the limit are reported', () => {
    expect(videoFileProblem(facts('a.mp4', 0, 'video/mp4'), 10)).toMatch(/empty/)
    expect(videoFileProblem(facts('a.mp4', 501 * MB, 'video/mp4'), 500 * MB)).toBe(
      '“a.mp4” has 501MB; a video may have at most 500MB.',
    )
    expect(videoFileProblem(facts('a.mp4', 500 * MB, 'video/mp4'), 500 * MB)).toBeUndefined()
  })

  test('what is no video is told as what it is, with what is taken, whatever its name', async () => {
    const problem = (name: string, content: string) =>
      fileKindProblem(new File([Buffer.from(content, 'latin1')], name))
    expect(await problem('song.mp4', 'fLaC and so on')).toBe(
      `“song.mp4” is a sound file (FLAC). Choose a video: ${TAKEN}.`,
    )
    expect(await problem('a.mp4', '\x9c\x01\x02')).toMatch(
      /^“a.mp4” is not a video. Choose a video: /,
    )
    expect(await problem('a.bin', 'FLV\x01\x05')).toBeUndefined()
  })

  test('a thumbnail is a PNG or JPG of at most the limit', () => {
    expect(thumbnailProblem(facts('a.png', 1, 'image/png'), 2 * MB)).toBeUndefined()
    expect(thumbnailProblem(facts('a.webp', 1, 'image/webp'), 2 * MB)).toMatch(/not a PNG or JPG/)
    expect(thumbnailProblem(facts('a.png', 3 * MB, 'image/png'), 2 * MB)).toMatch(/at most 2MB/)
  })

  test('its name without the extension is the first title', () => {
    expect(titleOfFile('Final round.2026.mp4')).toBe('Final round.2026')
    expect(titleOfFile('clip')).toBe('clip')
    expect(titleOfFile('DESKTOP-4FJ2K1A - last round.mp4')).toBe('last round')
    expect(titleOfFile('last round (LAPTOP-8HJK2LM9).mp4')).toBe('last round')
    expect(titleOfFile('my-first-PC.mp4')).toBe('my-first-PC')
    expect(titleOfFile('a\u200bb\ufeff\u200e\u061c clip\u2028\u00ad.mp4')).toBe('ab clip')
    expect(titleOfFile('👩\u200d💻 plays.mp4')).toBe('👩\u200d💻 plays')
    expect(titleOfFile('\u2068My\tclip\u2069.mp4')).toBe('Myclip')
    expect(titleOfFile('clip\u202Egpj.mp4')).toBe('clipgpj')
    expect(titleOfFile(`${'x'.repeat(99)}👍🏽.mp4`)).toBe('x'.repeat(99))
    expect(titleOfFile('.mp4')).toBe('.mp4')
    expect(titleOfFile(`${'x'.repeat(200)}.mp4`)).toHaveLength(100)
  })

  test('chunks are 2 MiB, rounded up', () => {
    expect([1, 2 * MB, 2 * MB + 1, 500 * MB].map(chunkCountOf)).toEqual([1, 1, 2, 250])
    expect(formatMegabytes(1.5 * MB)).toBe('1.50 MB')
  })
})

describe('speed and time left', () => {
  test('are measured over the last seconds', () => {
    let time = 0
    const meter = createSpeedMeter(() => time)
    expect(meter.measure(0)).toBeUndefined()
    time = 500
    expect(meter.measure(100)).toBeUndefined()
    time = 2000
    expect(meter.measure(2000)).toBe(1000)
    time = 60_000
    expect(meter.measure(3000)).toBeUndefined()
    time = 61_000
    expect(meter.measure(8000)).toBe(5000)
    // What was measured before a pause says nothing of the speed after it.
    time = 65_000
    expect(meter.measure(9000)).toBeUndefined()
    time = 66_000
    expect(meter.measure(10_000)).toBe(1000)
  })

  test('are told ten times a second, however often the browser counts', () => {
    let time = 0
    const told: number[] = []
    const tell = atMostEvery(
      100,
      (bytes: number) => told.push(bytes),
      () => time,
    )
    // WebKit counts every 8 KiB, and sends 2 MiB in 20 ms.
    for (; time < 1000; time += 0.08) tell(time)
    expect(told).toHaveLength(10)
    expect(told.map(Math.round)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
  })

  test('read as a person would say them', () => {
    expect([2, 12, 100, 7300].map(formatTimeLeft)).toEqual([
      'a few seconds left',
      'about 10 seconds left',
      'about 2 minutes left',
      'about 2 hours left',
    ])
    const progress = { bytesSent: 50, totalBytes: 100, bytesPerSecond: 10 } as UploadProgress
    expect(secondsLeftOf(progress)).toBe(5)
  })
})
