import type { Stream } from 'node-av/lib'
import {
  abandonMp4,
  addCopiedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from '../package/mp4-output.ts'
import { copyStream } from '../package/stream-copy.ts'
import {
  closeSource,
  openSource,
  type PacketSink,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { openSideFeed } from '../source/side-feed.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'

export type Joined = {
  soundPath: string
  /** Approximate length of the result. */
  seconds: number
  picture: (output: Mp4Output, source: Source) => PacketSink
  sounds: (output: Mp4Output, source: Source) => [streamIndex: number, sink: PacketSink][]
  onFraction: (fraction: number) => void
}

export function copyPictureTrack(output: Mp4Output, source: Source): PacketSink {
  return copyTrack(output, source, source.video)
}

export function copySoundTrack(
  output: Mp4Output,
  source: Source,
  stream: Stream,
): [streamIndex: number, sink: PacketSink] {
  return [stream.index, copyTrack(output, source, stream)]
}

function copyTrack(output: Mp4Output, { offsetSeconds }: Source, stream: Stream): PacketSink {
  const track = addCopiedTrack(output, stream)
  const deliver = deliverTo(output, track, { interleaved: true })
  return copyStream(stream, { offsetSeconds, deliver })
}

/** The files may be the same. */
export async function joinSound(from: string, path: string, joined: Joined): Promise<void> {
  const source = await openSource(from)
  const feed = await openSideFeed(joined.soundPath)
  const output = openMp4(path, { kind: 'rewrite' }, joined.seconds)
  try {
    const picture = joined.picture(output, source)
    for (const [index, sink] of joined.sounds(output, feed.source)) feed.connect(index, sink)
    beginMp4(output)
    await readPackets(source, async (packet) => {
      joined.onFraction(Number(packet.pos) / source.sizeBytes)
      if (packet.streamIndex !== source.video.index) return undefined
      if (isTimestamp(packet.dts)) {
        await feed.advanceTo(toSeconds(packet.dts, source.video.timeBase) - source.offsetSeconds)
      }
      return picture.push(packet)
    })
    await picture.finish()
    await feed.finish()
    closeSource(source)
    await finishMp4(output)
  } catch (error) {
    abandonMp4(output)
    throw error
  }
}
