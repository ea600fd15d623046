import {
  abandonMp4,
  addCopiedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type IndexLocation,
  openMp4,
} from '../package/mp4-output.ts'
import { copyStream } from '../package/stream-copy.ts'
import { estimateIndexBytes } from '../source/mp4-boxes.ts'
import {
  closeSource,
  expectSeconds,
  openSource,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { newTally, type PacketTally, tallyPacket } from '../source/packet-tally.ts'

/** Source timestamps. */
export type SourceTally = { video: PacketTally; audio: PacketTally[] }

/**
 * Drops titles, places, chapters, attachments and data; default sound first. The index goes into
 * reserved space: FFmpeg's fast start writes the file again.
 */
export async function remux(
  { path: sourcePath, firstSound }: { path: string; firstSound?: number | undefined },
  outputPath: string,
  onPosition: (fraction: number) => void,
): Promise<SourceTally> {
  const bytes = await estimateIndexBytes(sourcePath)
  const candidates: IndexLocation[] = [{ kind: 'rewrite' }]
  if (bytes !== null) candidates.unshift({ kind: 'reserve', bytes })
  for (const location of candidates) {
    const source = await openSource(sourcePath, { firstSound })
    const tally = await copyPackets(source, outputPath, { location, onPosition })
    if (tally) return tally
  }
  throw new Error('The MP4 could not be finished.')
}

export async function tallySource(
  sourcePath: string,
  onPosition: (fraction: number) => void,
): Promise<SourceTally> {
  const source = await openSource(sourcePath)
  const tallies = new Map([source.video, ...source.audio].map((one) => [one.index, newTally()]))
  await readPackets(source, (packet) => {
    const tally = tallies.get(packet.streamIndex)
    const stream = source.input.streams[packet.streamIndex]
    if (tally && stream) tallyPacket(tally, packet, stream)
    onPosition(Number(packet.pos) / source.sizeBytes)
  })
  const tally = collectTallies(source, tallies)
  closeSource(source)
  return tally
}

/**
 * Closes the source.
 * @returns null if the index did not fit
 */
async function copyPackets(
  source: Source,
  outputPath: string,
  options: { location: IndexLocation; onPosition: (fraction: number) => void },
): Promise<SourceTally | null> {
  const output = openMp4(outputPath, options.location, expectSeconds(source))
  const { offsetSeconds } = source
  const sinks = new Map(
    [source.video, ...source.audio].map((stream) => [
      stream.index,
      {
        stream,
        tally: newTally(),
        sink: copyStream(stream, {
          offsetSeconds,
          deliver: deliverTo(output, addCopiedTrack(output, stream), { interleaved: false }),
        }),
      },
    ]),
  )
  try {
    beginMp4(output)
    await readPackets(source, (packet) => {
      options.onPosition(Number(packet.pos) / source.sizeBytes)
      const copied = sinks.get(packet.streamIndex)
      if (!copied) return
      tallyPacket(copied.tally, packet, copied.stream)
      copied.sink.push(packet)
    })
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  const tallies = new Map([...sinks].map(([index, { tally }]) => [index, tally]))
  const tally = collectTallies(source, tallies)
  // Frees FFmpeg's memory for the index.
  closeSource(source)
  return (await finishMp4(output)) ? tally : null
}

function collectTallies(source: Source, tallies: Map<number, PacketTally>): SourceTally {
  return {
    video: tallies.get(source.video.index) ?? newTally(),
    audio: source.audio.map((one) => tallies.get(one.index) ?? newTally()),
  }
}
