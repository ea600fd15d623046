import { AV_LOG_ERROR } from 'node-av/constants'
import { type Frame, Log, type Stream } from 'node-av/lib'
import { filterOne } from '#server/video/processing/filter-chain.ts'
import { readOrientation } from '#server/video/processing/source/display-matrix.ts'
import {
  closeSource,
  openSource,
  readPackets,
  type Source,
} from '#server/video/processing/source/open-source.ts'
import {
  closeDecoder,
  decodePacket,
  openDecoder,
} from '#server/video/processing/source/stream-decoder.ts'
import { isTimestamp, toSeconds } from '#server/video/processing/timestamps.ts'

/** A small upright copy of a picture in grey, and when it is shown. */
export type ShownPicture = { seconds: number; grey: Buffer }

const SIZE = { width: 96, height: 54 }

/** All pictures of a video in the order of showing, and what FFmpeg complains of while it decodes them. */
export async function readShownPictures(
  path: string,
): Promise<{ pictures: ShownPicture[]; complaints: string[] }> {
  const complaints: string[] = []
  Log.setLevel(AV_LOG_ERROR)
  Log.setCallback((_level, message) => complaints.push(message.trim()), { maxLevel: AV_LOG_ERROR })
  const pictures: ShownPicture[] = []
  try {
    await decodeStream(path, {
      choose: ({ video }) => video,
      onFrame: (frame, seconds, source) => {
        const { filters } = readOrientation(source.video)
        const scale = `scale=${SIZE.width}:${SIZE.height}:flags=area`
        const small = filterOne(frame, [...filters, scale, 'format=gray'])
        pictures.push({ seconds, grey: small.toBuffer() })
        small.free()
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 0))
  } finally {
    Log.setCallback(null)
  }
  return { pictures, complaints }
}

/** When a sound track is first louder than half; null when it never is. */
export async function findBeep(path: string, track = 0): Promise<number | null> {
  let found: number | null = null
  await decodeStream(path, {
    choose: ({ audio }) => audio[track],
    onFrame: (frame, seconds) => {
      const bytes = frame.data?.[0]
      if (!bytes || found !== null) return
      for (let at = 0; at < frame.nbSamples; at += 1) {
        if (Math.abs(bytes.readFloatLE(at * 4)) < 0.05) continue
        found = seconds + at / frame.sampleRate
        return
      }
    },
  })
  return found
}

async function decodeStream(
  path: string,
  work: {
    choose: (source: Source) => Stream | undefined
    onFrame: (frame: Frame, seconds: number, source: Source) => void
  },
): Promise<void> {
  const source = await openSource(path)
  const stream = work.choose(source)
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) throw new Error('There is nothing to decode.')
  let firstPacket: number | null = null
  let delay: number | null = null
  const onFrame = (frame: Frame): undefined => {
    const seconds = toSeconds(frame.bestEffortTimestamp, stream.timeBase) - source.offsetSeconds
    // Without times of showing (AVI) the decoder's reordering delays every picture alike.
    delay ??= firstPacket === null ? 0 : seconds - firstPacket
    work.onFrame(frame, seconds - delay, source)
  }
  await readPackets(source, (packet) => {
    if (packet.streamIndex !== stream.index) return
    if (!isTimestamp(packet.pts) && isTimestamp(packet.dts)) {
      firstPacket ??= toSeconds(packet.dts, stream.timeBase) - source.offsetSeconds
    }
    decodePacket(decoder, packet, onFrame)
  })
  decodePacket(decoder, null, onFrame)
  closeDecoder(decoder)
  closeSource(source)
}

/** How far two small pictures are apart, 0 to 255. */
export function differenceOf(one: ShownPicture, other: ShownPicture): number {
  let sum = 0
  for (const [at, value] of one.grey.entries()) sum += Math.abs(value - (other.grey[at] ?? 0))
  return sum / one.grey.length
}
