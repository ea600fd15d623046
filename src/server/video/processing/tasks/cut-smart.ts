import { AV_PICTURE_TYPE_NONE, AVDISCARD_ALL } from 'node-av/constants'
import type { Frame, Packet } from 'node-av/lib'
import { closeEncoder, type Encoder, encodeFrame } from '../encode/encoder.ts'
import { openMatchingEncoder } from '../encode/matching-encoder.ts'
import { fromAnnexB, joinParameterSets, type ParameterSets } from '../encode/parameter-sets.ts'
import { makeUserDataEraser } from '../encode/user-data.ts'
import {
  abandonMp4,
  addCopiedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  openMp4,
} from '../package/mp4-output.ts'
import { closeSource, openSource, readPackets, type Source } from '../source/open-source.ts'
import type { PictureIndex } from '../source/picture-list.ts'
import { seekSource } from '../source/seek.ts'
import { closeDecoder, decodePacket, openDecoder } from '../source/stream-decoder.ts'
import { toSeconds } from '../timestamps.ts'
import { describeParts, type KeptPart, type KeptPictures } from './cut-parts.ts'
import { type CutRun, findDelay } from './cut-plan.ts'
import { openSoundFeed } from './cut-sound.ts'
import { makePictureWriter, type PictureWriter } from './cut-writer.ts'

/** `message` is for the log. */
export class JoinError extends Error {}

export type SmartCut = {
  sourcePath: string
  firstSound?: number | undefined
  outputPath: string
  index: PictureIndex
  parts: KeptPart[]
  pictures: KeptPictures
  /** Key frames that close everything before them. */
  clean: number[]
  runs: CutRun[]
  /** Keeps all speakers. */
  isKept: boolean
  sets: ParameterSets
  parameterId: number
  onSeconds: (seconds: number) => void
}

type Work = SmartCut & {
  source: Source
  writer: PictureWriter
  catchUp: () => Promise<void>
}

/** Steps back to find a key frame. */
const retrySeconds = [0, 1, 10, 1_000_000]

/** @throws JoinError when the source differs from an assumption */
export async function cutSmart(cut: SmartCut): Promise<void> {
  const trial = await openTrial(cut)
  const source = await openSource(cut.sourcePath)
  const { video, audio, offsetSeconds } = source
  for (const stream of audio) stream.discard = AVDISCARD_ALL
  const total = cut.parts.reduce((sum, { start, end }) => sum + end - start, 0)
  const length = (total * video.timeBase.num) / video.timeBase.den
  const output = openMp4(cut.outputPath, { kind: 'rewrite' }, length)
  try {
    const track = addCopiedTrack(output, video)
    const joined = trial && joinParameterSets(cut.sets, trial)
    if (!joined) throw new JoinError('The parameter sets do not fit together.')
    track.stream.codecpar.extradata = joined
    const clock = { base: video.timeBase, offsetSeconds }
    const kept = describeParts(cut.parts, clock)
    const sound = await openSoundFeed(output, {
      ...{ sourcePath: cut.sourcePath, firstSound: cut.firstSound, parts: kept },
      isKept: cut.isKept,
    })
    beginMp4(output, { hasEditLists: false })
    let written = 0
    const writer = makePictureWriter({
      pictures: cut.pictures.outputs,
      end: total,
      delay: findDelay(cut.index, cut.runs),
      base: video.timeBase,
      deliver: deliverTo(output, track, { interleaved: true }),
      onPicture: (time) => {
        written = toSeconds(BigInt(time), video.timeBase)
        cut.onSeconds(written)
      },
    })
    const work = { ...cut, source, writer, catchUp: () => sound.advanceTo(written) }
    for (const run of cut.runs) {
      if (run.kind === 'copy') await copyRun(work, run)
      else await encodeRun(work, run)
    }
    await sound.finish()
    writer.finish()
    await finishMp4(output)
  } catch (error) {
    abandonMp4(output)
    throw error
  } finally {
    closeSource(source)
  }
}

/** The encoder's parameter sets, which do not vary; null if nothing is encoded. */
async function openTrial(cut: SmartCut): Promise<Buffer | null> {
  const source = await openSource(cut.sourcePath)
  const decoder = openDecoder(source.video)
  let sets: Buffer | null = null
  if (decoder) {
    const onFrame = (frame: Frame) => {
      const { parameterId } = cut
      const encoder = openMatchingEncoder(source.video, { frame, parameterId })
      const { extraData } = encoder.context
      sets = extraData && Buffer.from(extraData)
      closeEncoder(encoder)
      return false
    }
    await readPackets(source, (packet) => {
      if (packet.streamIndex === source.video.index) decodePacket(decoder, packet, onFrame)
      return sets === null
    })
    if (sets === null) decodePacket(decoder, null, onFrame)
    closeDecoder(decoder)
  }
  closeSource(source)
  return sets
}

async function readFrom(
  { source, index, catchUp }: Work,
  position: number,
  onPacket: (packet: Packet, position: number) => boolean,
): Promise<void> {
  const time = BigInt(index.times[position] ?? 0)
  const seconds = toSeconds(time, source.video.timeBase)
  for (const back of retrySeconds) {
    seekSource(source, Math.max(seconds - back, Math.min(0, source.offsetSeconds)))
    let at = -1
    await readPackets(source, async (packet) => {
      if (packet.streamIndex !== source.video.index) return true
      if (at < 0 && packet.pts !== time) {
        return toSeconds(packet.dts, source.video.timeBase) <= seconds
      }
      at = at < 0 ? position : at + 1
      if (Number(packet.pts) !== index.times[at]) throw new JoinError('Pictures are out of order.')
      const wantsMore = onPacket(packet, at)
      await catchUp()
      return wantsMore
    })
    if (at >= 0) return
  }
  throw new JoinError('A key frame was not found.')
}

async function copyRun(work: Work, run: CutRun & { kind: 'copy' }): Promise<void> {
  const { source, writer } = work
  const erase = makeUserDataEraser(source.video)
  let copied = 0
  await readFrom(work, run.from, (packet, position) => {
    if (position >= run.until) return false
    erase?.(packet)
    const isFirst = position === run.from
    writer.write(packet, isFirst ? run.output : Number(packet.pts) + run.shift)
    copied += 1
    return position + 1 < run.until
  })
  if (copied !== run.until - run.from) throw new JoinError('Pictures are missing.')
}

/** Decoding restarts at gaps between parts. */
async function encodeRun(work: Work, run: CutRun & { kind: 'encode' }): Promise<void> {
  const { sources, outputs } = work.pictures
  const held: { encoder: Encoder | null } = { encoder: null }
  const onPacket = (packet: Packet) => {
    const data = packet.data
    if (!data) throw new JoinError('The encoder gave an empty picture.')
    const { pts, flags } = packet
    packet.data = fromAnnexB(data)
    packet.flags = flags
    work.writer.write(packet, Number(pts))
  }
  let next = run.from
  while (next < run.until) {
    const before = next
    await decodeFrom(work, sources[next] ?? 0, (frame) => {
      const wanted = sources[next] ?? 0
      const time = Number(frame.bestEffortTimestamp)
      if (next === run.until || time < wanted) return true
      if (time > wanted) return false
      const { parameterId, source } = work
      held.encoder ??= openMatchingEncoder(source.video, { frame, parameterId })
      requireSameShape(held.encoder, frame)
      frame.pts = BigInt(outputs[next] ?? 0)
      frame.pictType = AV_PICTURE_TYPE_NONE
      frame.timeBase = source.video.timeBase
      encodeFrame(held.encoder, frame, onPacket)
      next += 1
      return next < run.until && (work.index.times[findKey(work, sources[next] ?? 0)] ?? 0) <= time
    })
    if (next === before) throw new JoinError('A picture could not be decoded.')
  }
  if (!held.encoder) return
  encodeFrame(held.encoder, null, onPacket)
  closeEncoder(held.encoder)
}

function requireSameShape({ context }: Encoder, frame: Frame): void {
  const isSame =
    context.width === frame.width &&
    context.height === frame.height &&
    context.pixelFormat === frame.format
  if (!isSame) throw new JoinError('The size of the picture changes.')
}

function findKey({ clean, index }: SmartCut, time: number): number {
  let found = clean[0] ?? 0
  for (const position of clean) {
    if ((index.times[position] ?? 0) > time) break
    found = position
  }
  return found
}

async function decodeFrom(
  work: Work,
  time: number,
  onFrame: (frame: Frame) => boolean,
): Promise<void> {
  const decoder = openDecoder(work.source.video)
  if (!decoder) throw new JoinError('The decoder does not open any more.')
  let wantsMore = true
  const take = (frame: Frame) => {
    wantsMore = wantsMore && onFrame(frame)
    return wantsMore
  }
  await readFrom(work, findKey(work, time), (packet) => {
    decodePacket(decoder, packet, take)
    return wantsMore
  })
  if (wantsMore) decodePacket(decoder, null, take)
  closeDecoder(decoder)
}
