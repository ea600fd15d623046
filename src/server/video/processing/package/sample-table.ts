import { growingWords, type Words } from './box-writer.ts'

/** In decoding order and units of the track. */
export type SampleTable = {
  samples: number
  sizes: Words
  /** Count and duration. */
  durations: Words
  /** Count and composition offset. */
  offsets: Words
  hasOffsets: boolean
  /** Sample numbers from 1. */
  keys: Words
  chunks: { start: number; samples: number }[]
  duration: number
  /** Where FFmpeg continues. */
  claimedEnd: number
  firstDecodeTime: number
  firstTime: number
  firstOffset: number
  endTime: number
}

type Sample = { size: number; duration: number; offset: number; isKey: boolean }

export function newSampleTable(): SampleTable {
  return {
    samples: 0,
    sizes: growingWords(),
    durations: growingWords(),
    offsets: growingWords(),
    hasOffsets: false,
    keys: growingWords(),
    chunks: [],
    duration: 0,
    claimedEnd: 0,
    firstDecodeTime: 0,
    firstTime: 0,
    firstOffset: 0,
    endTime: Number.NEGATIVE_INFINITY,
  }
}

/**
 * FFmpeg counts from the claimed end of the previous fragment.
 * @param chunk.decodeTime given to FFmpeg
 */
export function addChunk(
  table: SampleTable,
  chunk: { start: number; decodeTime: number; samples: Sample[] },
): void {
  const { start, decodeTime, samples } = chunk
  const [first] = samples
  if (!first) return
  const isFirst = table.samples === 0
  const claimed = isFirst ? decodeTime : table.claimedEnd
  table.claimedEnd = samples.reduce((time, { duration }) => time + duration, claimed)
  first.duration += claimed - decodeTime
  if (isFirst) {
    table.firstDecodeTime = decodeTime
    table.firstTime = decodeTime + first.offset
    table.firstOffset = first.offset
  } else extendLast(table, decodeTime - table.firstDecodeTime - table.duration)
  table.chunks.push({ start, samples: samples.length })
  for (const sample of samples) addSample(table, sample)
}

function addSample(table: SampleTable, { size, duration, offset, isKey }: Sample): void {
  const shown = table.firstDecodeTime + table.duration + offset
  table.endTime = Math.max(table.endTime, shown + duration)
  table.samples += 1
  table.duration += duration
  table.sizes.push(size)
  addToRun(table.durations, duration)
  addToRun(table.offsets, offset)
  table.hasOffsets ||= offset !== 0
  if (isKey) table.keys.push(table.samples)
}

/** Only the next fragment tells the last sample's duration. */
function extendLast(table: SampleTable, by: number): void {
  if (by === 0) return
  const { durations } = table
  const last = durations.get(durations.count - 1)
  const counted = durations.get(durations.count - 2)
  durations.set(durations.count - 2, counted - 1)
  if (counted === 1) {
    durations.set(durations.count - 2, 1)
    durations.set(durations.count - 1, Math.max(0, last + by))
  } else {
    durations.push(1)
    durations.push(Math.max(0, last + by))
  }
  table.duration += Math.max(-last, by)
}

function addToRun(runs: Words, value: number): void {
  const position = runs.count - 2
  if (position >= 0 && runs.get(position + 1) === value) runs.set(position, runs.get(position) + 1)
  else {
    runs.push(1)
    runs.push(value)
  }
}
