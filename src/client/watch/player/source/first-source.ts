import { rememberedPlayer } from '../core/player-memory.ts'
import { chooseSource, fastestAnswerMs } from './choose-source.ts'
import { picksStream, playsHlsItself } from './hls-support.ts'
import type { SourceKind } from './source.ts'

type FirstSourceInput = {
  hasHls: boolean
  /** Short sides, in device pixels: of the file, and of the player. */
  fileLines: number | null
  playerLines: number
}

/** What a video begins with in this browser, for this viewer. */
export function firstSource(input: FirstSourceInput, video: HTMLVideoElement): SourceKind {
  const { quality, bandwidth } = rememberedPlayer()
  const otherwise = playsHlsItself(video) ? 'native' : 'none'
  const hls = picksStream() ? 'stream' : otherwise
  return chooseSource({ ...input, hls, quality, bandwidth, answerMs: fastestAnswerMs() })
}
