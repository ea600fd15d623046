import type { Sample, TrackRun } from './fragment.ts'

/** A coded picture or sound, in decoding order. */
export type CodedSample = {
  bytes: Uint8Array
  /** Seconds. */
  timestamp: number
  duration: number
  isKey: boolean
}

export type Lane = { trackId: number; timescale: number; samples: AsyncIterator<CodedSample> }
export type CutFragment = { runs: TrackRun[]; seconds: number }

/** Files round their times. */
const TOLERANCE_SECONDS = 0.002
/** Fragments begin with a key frame, except the first ones, so that the first picture comes soon. */
const USUAL_SECONDS = 1
const FIRST_SECONDS = 0.5
const BEGINNING_SECONDS = 4
/** For recordings with hardly any key frames. */
const LONGEST_SECONDS = 10
/** Maximum bytes of the samples of one track in a fragment, which are in memory together. The file may be hostile. */
const FRAGMENT_BYTES_MAX = 64 * 1024 * 1024

/**
 * Cuts picture and sound into fragments. Where it cuts depends on the recording alone, so that every
 * node makes the same ones, whenever it begins.
 */
export async function* cutFragments(picture: Lane, sound?: Lane): AsyncGenerator<CutFragment> {
  const soundRuns = sound && createSoundRuns(sound)
  let start: number | undefined
  for await (const { samples, nextStart } of cutPictures(picture.samples)) {
    const first = Math.min(...samples.map(({ timestamp }) => timestamp))
    start ??= Math.min(0, first)
    const end = endOf(samples)
    const runs = [writePictures(picture, { samples, end, start })]
    const heard = await soundRuns?.take({ until: nextStart ?? Number.POSITIVE_INFINITY, start })
    if (heard) runs.push(heard)
    yield { runs, seconds: end - first }
  }
}

type Cut = { samples: CodedSample[]; nextStart: number | undefined }

/** In decoding order; all of a group are shown before all of the next. */
async function* cutPictures(samples: AsyncIterator<CodedSample>): AsyncGenerator<Cut> {
  let group: CodedSample[] = []
  let origin: number | undefined
  for (;;) {
    const { value: next, done } = await samples.next()
    if (done) break
    origin ??= next.timestamp
    const nextStart = endOf(group)
    if (group.length > 0 && isEnough(group, { next, beginsAt: origin })) {
      yield { samples: group, nextStart }
      group = []
    }
    group.push(next)
  }
  if (group.length > 0) yield { samples: group, nextStart: undefined }
}

/** A group without holes is followed by nothing that is shown between its pictures. */
function isEnough(
  group: readonly CodedSample[],
  { next, beginsAt }: { next: CodedSample; beginsAt: number },
): boolean {
  const start = Math.min(...group.map(({ timestamp }) => timestamp))
  const seconds = endOf(group) - start
  if (seconds >= LONGEST_SECONDS || bytesOf(group) >= FRAGMENT_BYTES_MAX) return true
  const isBeginning = endOf(group) - beginsAt < BEGINNING_SECONDS
  if (seconds < (isBeginning ? FIRST_SECONDS : USUAL_SECONDS)) return false
  if (!isBeginning && !next.isKey) return false
  const filled = group.reduce((sum, { duration }) => sum + duration, 0)
  return filled > seconds - TOLERANCE_SECONDS
}

function endOf(group: readonly CodedSample[]): number {
  return Math.max(...group.map(({ timestamp, duration }) => timestamp + duration))
}

function bytesOf(samples: readonly Pick<CodedSample, 'bytes'>[]): number {
  return samples.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

/** The times of decoding are those of showing, sorted: files have others, but players need none. */
function writePictures(
  { trackId, timescale }: Lane,
  { samples, end, start }: { samples: readonly CodedSample[]; end: number; start: number },
): TrackRun {
  const ticks = (seconds: number) => Math.round((seconds - start) * timescale)
  const times = samples.map(({ timestamp }) => ticks(timestamp)).sort((a, b) => a - b)
  const written = samples.map(({ bytes, isKey, timestamp }, index): Sample => {
    const decoded = times[index] ?? 0
    const duration = (times[index + 1] ?? ticks(end)) - decoded
    return { bytes, isKey, duration, offset: ticks(timestamp) - decoded }
  })
  return { trackId, decodedAt: times[0] ?? 0, samples: written }
}

function createSoundRuns({ trackId, timescale, samples }: Lane) {
  let next: CodedSample | undefined
  let hasMore = true
  const peek = async () => {
    if (!next && hasMore) {
      const { value, done } = await samples.next()
      if (done) hasMore = false
      else next = value
    }
    return next
  }
  return {
    /**
     * Up to a time. What lies before the beginning is left out, such as an encoder's delay.
     * @throws Error for more than any sound has
     */
    async take({ until, start }: { until: number; start: number }): Promise<TrackRun | undefined> {
      const ticks = (seconds: number) => Math.round((seconds - start) * timescale)
      const written: Sample[] = []
      let decodedAt = 0
      let bytes = 0
      for (let one = await peek(); one && one.timestamp < until; one = await peek()) {
        next = undefined
        bytes += one.bytes.length
        if (bytes > FRAGMENT_BYTES_MAX) throw new Error('A fragment is too large.')
        const at = ticks(one.timestamp)
        if (at < 0) continue
        if (written.length === 0) decodedAt = at
        const following = await peek()
        const end = following?.timestamp ?? one.timestamp + one.duration
        const duration = Math.max(0, ticks(end) - at)
        written.push({ bytes: one.bytes, isKey: true, duration, offset: 0 })
      }
      return written.length > 0 ? { trackId, decodedAt, samples: written } : undefined
    },
  }
}
