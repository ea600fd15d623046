import type { Stream } from 'node-av/lib'
import { isBrowserPicture, isPlainStereo } from './browser-codecs.ts'
import { makeCopyLane } from './copy-lane.ts'
import type { Lane } from './lane.ts'
import { damagedVideo, stillPicture } from './media-errors.ts'
import type { TranscodeResult, TranscodeTask } from './media-task.ts'
import { abandonMp4, beginMp4, finishMp4, type Mp4Output, openMp4 } from './mp4-output.ts'
import { closeSource, openSource, readPackets, type Source } from './open-source.ts'
import { roundToMs, tallyEnd } from './packet-tally.ts'
import { fitInside, inspectPicture, type Picture, type Size } from './picture.ts'
import { makePictureLane } from './picture-lane.ts'
import { makeSoundLane } from './sound-lane.ts'
import { openDecoder } from './stream-decoder.ts'

const longSide = 1920
const shortSide = 1080

/** Recorders' 60 frames a second are rarely exact. */
const maxCopiedFrameRate = 61

/**
 * Makes an MP4 that plays everywhere. What fits already is copied: encoding again costs quality and
 * time. Only the first sound track that can be read is kept.
 */
export async function transcode(
  task: TranscodeTask,
  onPercent: (percent: number) => void,
): Promise<TranscodeResult> {
  const looked = await openSource(task.sourcePath)
  const picture = await inspectPicture(looked)
  closeSource(looked)

  const source = await openSource(task.sourcePath)
  const size = outputSize(picture)
  const output = openMp4(task.outputPath, { kind: 'rewrite' })
  try {
    const lanes = new Map<number, Lane>([
      [source.video.index, pictureLane(output, source, { picture, size })],
      ...soundLanes(output, source),
    ])
    beginMp4(output)
    await readPackets(source, (packet) => {
      onPercent((Number(packet.pos) / source.sizeBytes) * 99)
      lanes.get(packet.streamIndex)?.push(packet)
    })
    for (const lane of lanes.values()) lane.finish()
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  closeSource(source)
  return { durationSeconds: await finish(output), ...size }
}

function pictureLane(
  output: Mp4Output,
  source: Source,
  { picture, size }: { picture: Picture; size: Size },
): Lane {
  const { offsetSeconds, video } = source
  const frameRate = video.avgFrameRate.num > 0 ? video.avgFrameRate.toDouble() : 0
  if (canCopyPicture(source, picture, { size, frameRate })) {
    return makeCopyLane(output, video, { offsetSeconds, interleaved: true })
  }
  return makePictureLane(output, source, { picture, size, frameRate })
}

/** AVI is left out: what it says about times does not suffice for H.264. */
function canCopyPicture(
  source: Source,
  picture: Picture,
  { size, frameRate }: { size: Size; frameRate: number },
): boolean {
  return (
    source.container !== 'avi' &&
    isBrowserPicture(source.video, picture) &&
    picture.orientation.rotation === 0 &&
    picture.squarePixels &&
    picture.width === size.width &&
    picture.height === size.height &&
    frameRate > 0 &&
    frameRate <= maxCopiedFrameRate
  )
}

function soundLanes(output: Mp4Output, source: Source): [number, Lane][] {
  for (const stream of source.audio) {
    const lane = soundLane(output, source, stream)
    if (lane) return [[stream.index, lane]]
  }
  return []
}

function soundLane(output: Mp4Output, source: Source, stream: Stream): Lane | null {
  const { offsetSeconds } = source
  if (source.container !== 'avi' && isPlainStereo(stream)) {
    return makeCopyLane(output, stream, { offsetSeconds, interleaved: true })
  }
  const decoder = openDecoder(stream)
  return decoder && makeSoundLane(output, stream, { decoder, offsetSeconds })
}

function outputSize(picture: Picture): Size {
  const isPortrait = picture.height > picture.width
  const [width, height] = isPortrait ? [shortSide, longSide] : [longSide, shortSide]
  return fitInside(picture, { width, height })
}

async function finish(output: Mp4Output): Promise<number> {
  const [video, ...others] = output.tracks.map((track) => track.tally)
  if (!video || video.packets < 2) {
    abandonMp4(output)
    throw video?.packets === 1 ? stillPicture() : damagedVideo()
  }
  await finishMp4(output)
  return roundToMs(tallyEnd(video, others))
}
