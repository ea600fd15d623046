import type { Stream } from 'node-av/lib'
import { limitSoundBitRate } from '../encode/bit-rates.ts'
import { isSameSize, planRenditionSizes, type RenditionSize } from '../encode/rendition-size.ts'
import { chooseSegmentStarts } from '../encode/segment-clock.ts'
import { longSeconds, maxLateStartSeconds } from '../media-limits.ts'
import { doublesFrameRate, hasWideColors } from '../picture/picture-filters.ts'
import { longHoldSeconds } from '../picture/picture-transcoder.ts'
import { closeSource, openSource, type Source } from '../source/open-source.ts'
import { inspectPicture, type Picture } from '../source/picture.ts'
import {
  analyzeSource,
  type SoundAnalysis,
  type SourceAnalysis,
} from '../source/source-analysis.ts'
import { isBrowserPicture, isPlainStereo, maxCopiedFrameRate } from './browser-codecs.ts'
import type { LadderTask } from './media-task.ts'
import { needsPictureCopy } from './picture-copy.ts'

/** Quality cannot change in between. */
const maxKeyFrameGapSeconds = 10

/** A longer gap at the end is not padded. */
const maxShortSoundSeconds = 0.3

const maxSoundGapSeconds = 0.25

/** A longer tail is separate: the last segment would hold it. */
const maxSoundTailSeconds = 10

/** See docs/decisions/0009-two-decodes-and-a-ladder.md. */
export type LadderPlan = {
  picture: Picture
  frameRate: number
  outputFrameRate: number
  /** FFmpeg's name. */
  codec: string
  /** Bits per second. */
  bitRate: number
  durationSeconds: number
  pictureEndSeconds: number
  sizes: RenditionSize[]
  copied: RenditionSize | null
  /** Null for one every two seconds. */
  starts: number[] | null
  /** Bits per second; null to copy. */
  soundBitRates: (number | null)[]
  hasSoundApart: boolean
  playableShortSide: number
  needsProgressive: boolean
  /**
   * Pictures after all else: codecs and the index of the playable file are not in memory together.
   * See docs/decisions/0057-long-recordings.md.
   */
  picturesLast: boolean
  /** Decodes pictures from a copy without sound. */
  needsPictureCopy: boolean
}

export async function planLadder(task: LadderTask): Promise<LadderPlan> {
  const source = await openSource(task.sourcePath)
  const picture = await inspectPicture(source)
  const facts = { container: source.container, soundTracks: source.audio.length }
  closeSource(source)
  const analysis = await analyzeSource(task.sourcePath)
  const isOriginal = task.playablePath !== task.sourcePath
  // A long recording's index is large: one at a time.
  const playableAnalysis = isOriginal ? await analyzeSource(task.playablePath) : analysis
  const playable = await openSource(task.playablePath)
  const playablePicture = isOriginal ? await inspectPicture(playable) : picture
  const sizes = planRenditionSizes(picture, task.heights)
  const canCopy = canCopyRendition(playable, playablePicture, playableAnalysis)
  const copied = (canCopy && sizes.find((size) => isSameSize(playablePicture, size))) || null
  const soundBitRates = playable.audio.map((stream, index) => {
    const sound = playableAnalysis.sounds[index]
    const isCopied = canCopySound(stream, sound, playableAnalysis.durationSeconds)
    return isCopied ? null : limitSoundBitRate(stream, sound)
  })
  const hasSeveralSounds = playable.audio.length > 1
  closeSource(playable)
  const soundEnd = playableAnalysis.sounds[0]?.endSeconds ?? 0
  const { frameRate, codec, bitRate } = analysis
  const doubled = doublesFrameRate(picture, frameRate)
  const [largest] = sizes
  const encodes = sizes.some((size) => size !== copied)
  const isHeavy = isOriginal || hasSeveralSounds
  const picturesLast = encodes && isHeavy && analysis.durationSeconds >= longSeconds
  return {
    picture,
    frameRate,
    outputFrameRate: Math.min(60, doubled ? frameRate * 2 : frameRate),
    codec,
    bitRate,
    durationSeconds: playableAnalysis.durationSeconds,
    pictureEndSeconds: analysis.pictureEndSeconds,
    sizes,
    copied,
    starts: copied && chooseSegmentStarts(playableAnalysis.keyFrameSeconds),
    soundBitRates,
    hasSoundApart:
      hasSeveralSounds ||
      picturesLast ||
      soundEnd - analysis.pictureEndSeconds > maxSoundTailSeconds,
    playableShortSide: Math.min(playablePicture.width, playablePicture.height),
    needsProgressive: largest !== undefined && playablePicture.width < largest.width,
    picturesLast,
    needsPictureCopy: picturesLast && needsPictureCopy(facts, analysis),
  }
}

/**
 * Players switch at key frames, which have to be close and closed. Colours must match other
 * renditions.
 */
function canCopyRendition({ video }: Source, picture: Picture, analysis: SourceAnalysis): boolean {
  const { keyFrameSeconds: keys, durationSeconds, frameRate, firstPictureSeconds } = analysis
  const gaps = keys.map((key, index) => (keys[index + 1] ?? durationSeconds) - key)
  return (
    isBrowserPicture(video, picture) &&
    !hasWideColors(picture) &&
    picture.orientation.rotation === 0 &&
    picture.squarePixels &&
    frameRate <= maxCopiedFrameRate &&
    !analysis.hasOpenGroups &&
    !analysis.hasHiddenPictures &&
    !isHeldAlone(analysis) &&
    firstPictureSeconds <= maxLateStartSeconds &&
    keys[0] === firstPictureSeconds &&
    Math.max(...gaps) <= maxKeyFrameGapSeconds
  )
}

/**
 * Only the movie's length tells how long the last picture is shown; players take the end from
 * pictures.
 */
function isHeldAlone({ sounds, lastPictureExtraSeconds }: SourceAnalysis): boolean {
  return sounds.length === 0 && lastPictureExtraSeconds > longHoldSeconds
}

/** Players stop where sound has a gap or ends early. */
function canCopySound(
  stream: Stream,
  sound: SoundAnalysis | undefined,
  durationSeconds: number,
): boolean {
  return (
    sound !== undefined &&
    isPlainStereo(stream) &&
    sound.startSeconds <= maxLateStartSeconds / 2 &&
    sound.longestGapSeconds <= maxSoundGapSeconds &&
    sound.endSeconds >= durationSeconds - maxShortSoundSeconds
  )
}
