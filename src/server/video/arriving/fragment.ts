/** Writes fragments of fragmented MP4 (ISO/IEC 14496-12, 8.8). */

/** Times in units of the track's time scale. */
export type Sample = {
  bytes: Uint8Array
  isKey: boolean
  duration: number
  /** The offset from decoding to presentation. It may be negative. */
  offset: number
}

export type TrackRun = {
  trackId: number
  /** The decoding time of its first sample. */
  decodedAt: number
  samples: readonly Sample[]
}

const BASE_IS_FRAGMENT = 0x02_00_00
/** Offset of the data; duration, size, flags and offset of each sample. */
const RUN_FLAGS = 0x00_0f_01
const KEY_SAMPLE = 0x02_00_00_00
const DELTA_SAMPLE = 0x01_01_00_00
const RUN_HEAD_BYTES = 20
const SAMPLE_BYTES = 16

export function writeFragment({
  number,
  runs,
}: {
  /** From 1. */
  number: number
  runs: readonly TrackRun[]
}): Buffer {
  const moof = (dataStart: number) => {
    let at = dataStart
    const tracks = runs.map((run) => {
      const box = writeTrack(run, at)
      at += bytesOf(run)
      return box
    })
    return box('moof', box('mfhd', words(0, number)), ...tracks)
  }
  // The size does not depend on the offset.
  const head = moof(moof(0).length + 8)
  const data = runs.flatMap(({ samples }) => samples.map(({ bytes }) => bytes))
  return Buffer.concat([head, box('mdat', ...data)])
}

function bytesOf({ samples }: TrackRun): number {
  return samples.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function writeTrack({ trackId, decodedAt, samples }: TrackRun, dataOffset: number): Buffer {
  const decodeTime = Buffer.alloc(12)
  decodeTime.writeUInt32BE(0x01_00_00_00, 0)
  decodeTime.writeBigUInt64BE(BigInt(decodedAt), 4)
  const run = Buffer.alloc(RUN_HEAD_BYTES - 8 + samples.length * SAMPLE_BYTES)
  run.writeUInt32BE(0x01_00_00_00 + RUN_FLAGS, 0)
  run.writeUInt32BE(samples.length, 4)
  run.writeInt32BE(dataOffset, 8)
  for (const [index, { bytes, isKey, duration, offset }] of samples.entries()) {
    const at = RUN_HEAD_BYTES - 8 + index * SAMPLE_BYTES
    run.writeUInt32BE(duration, at)
    run.writeUInt32BE(bytes.length, at + 4)
    run.writeUInt32BE(isKey ? KEY_SAMPLE : DELTA_SAMPLE, at + 8)
    run.writeInt32BE(offset, at + 12)
  }
  return box(
    'traf',
    box('tfhd', words(BASE_IS_FRAGMENT, trackId)),
    box('tfdt', decodeTime),
    box('trun', run),
  )
}

function box(type: string, ...content: Uint8Array[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 8)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** Time scales of the tracks of a `moov` box, in its order, with their ids. */
export function readTracks(moov: Buffer): { id: number; timescale: number }[] {
  const tracks: { id: number; timescale: number }[] = []
  for (const track of findBoxes(moov.subarray(8), 'trak')) {
    const [head] = findBoxes(track, 'tkhd')
    const [media] = findBoxes(track, 'mdia')
    const [mediaHead] = media ? findBoxes(media, 'mdhd') : []
    if (!head || !mediaHead) continue
    tracks.push({
      id: head.readUInt32BE(head[0] === 1 ? 20 : 12),
      timescale: mediaHead.readUInt32BE(mediaHead[0] === 1 ? 20 : 12),
    })
  }
  return tracks
}

/** The contents of boxes of a type. */
function findBoxes(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) break
    if (bytes.toString('latin1', at + 4, at + 8) === type) {
      found.push(bytes.subarray(at + 8, at + size))
    }
    at += size
  }
  return found
}
