import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants'
import type { Frame, Packet } from 'node-av/lib'
import { jpegBox, jpegPixels, jpegScaling, writeJpeg } from '../encode/jpeg.ts'
import { filterOne } from '../filter-chain.ts'
import { closeSource, openSource, readPackets, type Source } from '../source/open-source.ts'
import { fitInside, type Picture, type Size, uprightFilters } from '../source/picture.ts'
import {
  closeDecoder,
  decodePacket,
  openDecoder,
  type StreamDecoder,
} from '../source/stream-decoder.ts'
import { toSeconds } from '../timestamps.ts'
import { hasWebColors, pictureFilters } from './picture-filters.ts'
import {
  type FrameRating,
  isClear,
  makeFrameComparer,
  meaningfulScore,
  rateFrame,
} from './picture-score.ts'

/** Shares of the duration; the second row if the first shows nothing clearly. */
const positions = [
  [0.1, 0.25, 0.5, 0.75],
  [0, 0.05, 0.35, 0.65, 0.9],
]

/** For positions without a near key frame. */
const maxFramesForward = 150
const maxForwardMs = 700

/** An uploader waits: then the best so far is used. */
const pictureSearchMs = 1500

type Candidate = { frame: Frame; rating: FrameRating }

type Sampler = { source: Source; decoder: StreamDecoder; seenSeconds: Set<number> }

/** @returns false if undecodable */
export async function makePoster(
  sourcePath: string,
  outputPath: string,
  { picture, durationSeconds, box }: { picture: Picture; durationSeconds: number; box?: Size },
): Promise<boolean> {
  const source = await openSource(sourcePath)
  const decoder = openDecoder(source.video)
  if (!decoder) return false
  const best = await findBestFrame({ source, decoder, seenSeconds: new Set() }, durationSeconds)
  if (best) await writePoster(outputPath, best.frame, { picture, box })
  best?.frame.free()
  closeDecoder(decoder)
  closeSource(source)
  return best !== null
}

async function findBestFrame(sampler: Sampler, durationSeconds: number): Promise<Candidate | null> {
  const startedAt = performance.now()
  const comparer = makeFrameComparer()
  let best: Candidate | null = null
  for (const row of positions) {
    for (const position of row) {
      const isLate = performance.now() - startedAt > pictureSearchMs
      if (isLate && best && best.rating.score >= meaningfulScore) return best
      const candidate = await sampleAt(sampler, position * durationSeconds)
      if (!candidate) continue
      comparer.note(candidate.rating)
      if (best && comparer.weigh(best.rating) >= comparer.weigh(candidate.rating)) {
        candidate.frame.free()
        continue
      }
      best?.frame.free()
      best = candidate
    }
    if (best && isClear(best.rating)) break
  }
  return best
}

/** The key frame before, or a clear nearer one. */
async function sampleAt(sampler: Sampler, seconds: number): Promise<Candidate | null> {
  const { source, decoder, seenSeconds } = sampler
  const target = source.offsetSeconds + seconds
  decoder.context.flushBuffers()
  source.input.seekFrameSync(-1, BigInt(Math.round(target * 1e6)), AVSEEK_FLAG_BACKWARD)
  const chosen: { frame: Frame | null; count: number } = { frame: null, count: 0 }
  const startedAt = performance.now()
  const onFrame = (frame: Frame): boolean => {
    const time = toSeconds(frame.bestEffortTimestamp, source.video.timeBase)
    chosen.count += 1
    const isNew = !seenSeconds.has(time)
    const isFar = chosen.count >= maxFramesForward || performance.now() - startedAt > maxForwardMs
    if (isNew && (chosen.count === 1 || time >= target || isFar)) {
      seenSeconds.add(time)
      chosen.frame = frame.clone()
    }
    return chosen.frame === null && !isFar
  }
  await decodeUntil(source, decoder, onFrame)
  if (!chosen.frame) return null
  return { frame: chosen.frame, rating: rateFrame(chosen.frame) }
}

export async function decodeUntil(
  source: Source,
  decoder: StreamDecoder,
  onFrame: (frame: Frame) => boolean,
): Promise<void> {
  let wantsMore = true
  const decode = (packet: Packet | null) =>
    decodePacket(decoder, packet, (frame) => {
      wantsMore = onFrame(frame)
      return wantsMore
    })
  await readPackets(source, (packet) => {
    if (packet.streamIndex === source.video.index) decode(packet)
    return wantsMore
  })
  if (wantsMore) decode(null)
}

export async function writePoster(
  path: string,
  frame: Frame,
  { picture, box = jpegBox }: { picture: Picture; box?: Size | undefined },
): Promise<void> {
  const size = fitInside(picture, box)
  const upright = hasWebColors(picture)
    ? [
        ...(picture.interlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
        ...uprightFilters(picture.orientation, size, jpegScaling),
      ]
    : [...pictureFilters(picture, size, frame), `scale=${jpegScaling}`]
  const poster = filterOne(frame, [...upright, jpegPixels])
  await writeJpeg(path, poster)
  poster.free()
}
