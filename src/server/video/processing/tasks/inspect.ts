import { readSoundCodec } from '../package/hls-playlist.ts'
import { readFragmentedMp4, readMovieSeconds } from '../source/mp4-boxes.ts'
import { closeSource, codecName, openSource } from '../source/open-source.ts'
import { roundToMs, tallyEnd } from '../source/packet-tally.ts'
import { inspectPicture } from '../source/picture.ts'
import type { InspectedFile, InspectResult, InspectTask } from './media-task.ts'
import { tallySource } from './remux.ts'

export async function inspect({ files }: InspectTask): Promise<InspectResult> {
  const found: InspectResult['files'] = []
  for (const { path, kind } of files) {
    const inspecting = kind === 'video' ? inspectVideo(path) : inspectSound(path)
    found.push(await inspecting.catch(() => null))
  }
  return { files: found }
}

async function inspectVideo(path: string): Promise<InspectedFile> {
  const source = await openSource(path)
  const { width, height } = await inspectPicture(source)
  const codecs = [source.video, ...source.audio].map(codecName)
  const { container, offsetSeconds } = source
  closeSource(source)
  const { video, audio } = await tallySource(path, () => {})
  const durationSeconds = roundToMs(tallyEnd(video, audio) - offsetSeconds)
  return { container, codecs, width, height, durationSeconds, pictures: video.packets }
}

async function inspectSound(path: string): Promise<InspectedFile> {
  const seconds = await readMovieSeconds(path)
  if (seconds === null) throw new Error('This is no MP4.')
  const codec = seconds === 0 ? readSoundCodec((await readFragmentedMp4(path)).head) : 'mp4a'
  if (codec === null) throw new Error('There is no sound in this.')
  const size = { width: 0, height: 0, pictures: 0 }
  return { container: 'mp4', codecs: ['aac'], ...size, durationSeconds: seconds }
}
