import {
  addCopiedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  openMp4,
} from '#server/video/processing/package/mp4-output.ts'
import {
  closeSource,
  openSource,
  readPackets,
} from '#server/video/processing/source/open-source.ts'
import { shiftPacket, toTimestamp } from '#server/video/processing/timestamps.ts'

/** Writes a recording so many times one after the other: an hour that nobody has to encode. */
export async function repeatRecording(
  path: string,
  output: { path: string; times: number; seconds: number },
): Promise<void> {
  const first = await openSource(path)
  const made = openMp4(output.path, { kind: 'rewrite' }, output.times * output.seconds)
  const streams = [first.video, ...first.audio]
  const delivers = new Map(
    streams.map((stream) => [
      stream.index,
      deliverTo(made, addCopiedTrack(made, stream), { interleaved: true }),
    ]),
  )
  beginMp4(made)
  for (let round = 0; round < output.times; round += 1) {
    const source = await openSource(path)
    await readPackets(source, (packet) => {
      const stream = source.input.streams[packet.streamIndex]
      if (!stream) return
      shiftPacket(packet, -toTimestamp(round * output.seconds, stream.timeBase))
      delivers.get(packet.streamIndex)?.(packet, stream.timeBase)
    })
    closeSource(source)
  }
  closeSource(first)
  await finishMp4(made)
}
