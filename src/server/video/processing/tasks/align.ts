import { AVDISCARD_ALL } from 'node-av/constants'
import { alignSounds } from '../sound/align-sounds.ts'
import { makeOnsetMeter } from '../sound/onsets.ts'
import { makeSoundTranscoder } from '../sound/sound-transcoder.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { openDecoder } from '../source/stream-decoder.ts'
import type { AlignResult, AlignTask, Report } from './media-task.ts'

/** The comparison follows. */
const readPercent = 90

/** A recording without sound has no place. */
export async function alignRecordings(
  { sourcePaths }: AlignTask,
  report: Report,
): Promise<AlignResult> {
  const recordings: Float32Array[] = []
  for (const [index, path] of sourcePaths.entries()) {
    recordings.push(await readOnsets(path))
    report(((index + 1) / sourcePaths.length) * readPercent, { stage: 'reading' })
  }
  return { offsets: alignSounds(recordings) }
}

/** Decodes the first track, placed by its playback times. */
async function readOnsets(path: string): Promise<Float32Array> {
  const source = await openSource(path)
  source.video.discard = AVDISCARD_ALL
  const meter = makeOnsetMeter()
  const [stream] = source.audio
  const decoder = stream && openDecoder(stream)
  if (stream && decoder) {
    const { offsetSeconds } = source
    const sound = makeSoundTranscoder(stream, { decoder, offsetSeconds, use: { meters: [meter] } })
    await readPackets(source, async (packet) => {
      if (packet.streamIndex === stream.index) await sound.push(packet)
      return true
    })
    await sound.finish()
  }
  closeSource(source)
  return meter.finish()
}
