import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MIX_NAME, nameSoundTracks } from '#shared/sound-tracks.ts'
import { type RenditionSize, renditionPlaylistName } from '../encode/rendition-size.ts'
import {
  joinSounds,
  listSegments,
  measureBandwidth,
  readCodecs,
  readSoundCodec,
  type SoundFacts,
  writeMasterPlaylist,
  writeMediaPlaylist,
} from '../package/hls-playlist.ts'
import type { HlsRendition } from '../package/hls-rendition.ts'
import { readFragmentedMp4 } from '../source/mp4-boxes.ts'
import { roundToMs } from '../source/packet-tally.ts'
import type { LadderOutputs, LadderSounds } from './ladder-parts.ts'
import type { LadderPlan } from './ladder-plan.ts'
import type { LadderTask, MadeFile, RenditionResult, SoundTrackResult } from './media-task.ts'

export const masterFileName = 'hls.m3u8'
export const progressiveFileName = 'video.mp4'
export const renditionFileName = (size: RenditionSize) => `${size.name}p.mp4`
/** 0 for a mix, which comes before the recorded tracks. */
export const firstSoundNumber = ({ hasMix }: Pick<LadderTask, 'hasMix'>) => (hasMix ? 0 : 1)
/** Not for the first sound of the progressive file. */
export const soundFileName = (number: number) => `sound-${number}.m4a`
export const soundRenditionFileName = (number: number) => `sound-${number}-stream.m4a`
export const soundPlaylistFileName = (number: number) => `sound-${number}.m3u8`

/** For players without an estimate. */
const firstChoice = 720

export type LadderFacts = {
  renditions: RenditionResult[]
  soundTracks: SoundTrackResult[]
  files: NamedFile[]
}

export type NamedFile = Omit<MadeFile, 'bytes'>

export async function describeLadder(
  task: LadderTask,
  { plan, sounds, outputs }: { plan: LadderPlan; sounds: LadderSounds; outputs: LadderOutputs },
): Promise<LadderFacts> {
  const { outputFolder } = task
  const renditions: RenditionResult[] = []
  for (const { size, rendition } of outputs.renditions) {
    const facts = await writeRendition(outputFolder, size, rendition)
    renditions.push({ ...facts, copied: size === plan.copied })
  }
  const variants = orderForPlayers(renditions)
  const streamed = await writeSoundRenditions(task, { sounds, outputs })
  const master = joinSounds(
    variants.map((one) => ({ ...one, playlist: one.playlistFile })),
    streamed,
  )
  await writeFile(join(outputFolder, masterFileName), writeMasterPlaylist(master))
  const soundTracks = sounds.others.map(({ language }, index) => ({
    file: soundFileName(firstSoundNumber(task) + index + 1),
    language,
  }))
  const files: NamedFile[] = [
    { name: masterFileName, kind: 'playlist' },
    ...renditions.flatMap(({ file, playlistFile }): NamedFile[] => [
      { name: file, kind: 'rendition' },
      { name: playlistFile, kind: 'playlist' },
    ]),
    ...soundTracks.map(({ file }): NamedFile => ({ name: file, kind: 'sound' })),
    ...outputs.soundRenditions.flatMap(({ number }): NamedFile[] => [
      { name: soundRenditionFileName(number), kind: 'sound' },
      { name: soundPlaylistFileName(number), kind: 'playlist' },
    ]),
    ...(plan.needsProgressive ? [{ name: progressiveFileName, kind: 'video' } as const] : []),
  ]
  return { renditions, soundTracks, files }
}

export async function measureFiles(folder: string, files: NamedFile[]): Promise<MadeFile[]> {
  const sizes = await Promise.all(files.map(({ name }) => stat(join(folder, name))))
  return files.map((file, index) => ({ ...file, bytes: sizes[index]?.size ?? 0 }))
}

async function writeRendition(folder: string, size: RenditionSize, rendition: HlsRendition) {
  const file = renditionFileName(size)
  const playlistFile = renditionPlaylistName(size.name)
  const { timesSeconds } = rendition
  const made = await writePlaylist(folder, { file, playlist: playlistFile, timesSeconds })
  const { peak, average } = made.bandwidth
  const frameRate = (rendition.pictures - 1) / Math.max(rendition.lastPictureSeconds, 0.001)
  return {
    name: size.name,
    width: size.width,
    height: size.height,
    bandwidth: peak,
    averageBandwidth: average,
    codecs: readCodecs(made.head),
    frameRate: roundToMs(Math.min(frameRate, 60)),
    file,
    playlistFile,
  }
}

/** @returns by track; empty if in the renditions */
async function writeSoundRenditions(
  task: LadderTask,
  { sounds, outputs }: { sounds: LadderSounds; outputs: LadderOutputs },
): Promise<SoundFacts[]> {
  const folder = task.outputFolder
  const all = [...(sounds.first ? [sounds.first] : []), ...sounds.others]
  const names = task.hasMix ? [MIX_NAME, ...nameSoundTracks(sounds.others)] : nameSoundTracks(all)
  const nameOf = (number: number) => {
    const index = number - firstSoundNumber(task)
    return {
      name: names[index] ?? `Track ${number}`,
      language: all[index]?.language ?? null,
      channels: all[index]?.channels ?? 2,
    }
  }
  const facts: SoundFacts[] = []
  for (const { number, rendition } of outputs.soundRenditions) {
    const file = soundRenditionFileName(number)
    const playlist = soundPlaylistFileName(number)
    const { bandwidth, head } = await writePlaylist(folder, { file, playlist, ...rendition })
    const codec = readSoundCodec(head)
    if (!codec) throw new Error('The sound holds no AAC.')
    facts.push({ ...nameOf(number), playlist, bandwidth: bandwidth.peak, codec })
  }
  return facts
}

export async function writePlaylist(
  folder: string,
  { file, playlist, timesSeconds }: { file: string; playlist: string; timesSeconds: number[] },
) {
  const mp4 = await readFragmentedMp4(join(folder, file))
  const segments = listSegments(mp4, timesSeconds)
  const text = writeMediaPlaylist({ file, headBytes: mp4.head.length, segments })
  await writeFile(join(folder, playlist), text)
  return { head: mp4.head, bandwidth: measureBandwidth(segments) }
}

function orderForPlayers(renditions: RenditionResult[]): RenditionResult[] {
  const first = renditions.find(({ name }) => name <= firstChoice) ?? renditions[0]
  return first ? [first, ...renditions.filter((one) => one !== first)] : []
}
