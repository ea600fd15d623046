import { rm } from 'node:fs/promises'
import { AVDISCARD_ALL } from 'node-av/constants'
import {
  abandonMatroska,
  addMatroskaTrack,
  beginMatroska,
  finishMatroska,
  openMatroska,
  writeMatroska,
} from '../package/matroska-output.ts'
import type { Container } from '../source/container.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import type { SourceAnalysis } from '../source/source-analysis.ts'
import { shiftPacket, toTimestamp } from '../timestamps.ts'

/** Found in MP4 files of recorders; Matroska names them. */
const copiedCodecs = new Set(['h264', 'hevc', 'av1', 'vp9'])

/** Saves memory: FFmpeg holds the index of all tracks of an MP4. */
export function needsPictureCopy(
  { container, soundTracks }: { container: Container; soundTracks: number },
  { codec, hasHiddenPictures }: SourceAnalysis,
): boolean {
  const hasIndex = container === 'mp4' && soundTracks > 0
  return hasIndex && copiedCodecs.has(codec) && !hasHiddenPictures
}

/** Its time 0 is where playback begins. */
export async function copyPicture(
  sourcePath: string,
  outputPath: string,
  onFraction: (fraction: number) => void,
): Promise<void> {
  const source = await openSource(sourcePath)
  const { video, audio, offsetSeconds } = source
  for (const stream of audio) stream.discard = AVDISCARD_ALL
  const base = video.timeBase
  const offset = toTimestamp(offsetSeconds, base)
  const output = openMatroska(outputPath)
  try {
    const track = addMatroskaTrack(output, video)
    beginMatroska(output)
    await readPackets(source, (packet): undefined => {
      onFraction(Number(packet.pos) / source.sizeBytes)
      if (packet.streamIndex !== video.index) return
      shiftPacket(packet, offset)
      writeMatroska(output, track, { packet, base })
    })
  } catch (error) {
    abandonMatroska(output)
    await rm(outputPath, { force: true })
    throw error
  } finally {
    closeSource(source)
  }
  await finishMatroska(output)
}
