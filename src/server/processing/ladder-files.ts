import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  listSegments,
  measureBandwidth,
  readCodecs,
  writeMasterPlaylist,
  writeMediaPlaylist,
} from './hls-playlist.ts'
import type { HlsRendition } from './hls-rendition.ts'
import type { LadderOutputs } from './ladder.ts'
import type { LadderPlan } from './ladder-plan.ts'
import type { LadderSounds } from './ladder-sound.ts'
import type { LadderTask, MadeFile, RenditionResult, SoundTrackResult } from './media-task.ts'
import { readFragmentedMp4 } from './mp4-boxes.ts'
import { roundToMs } from './packet-tally.ts'
import type { Rung } from './rung.ts'

export const masterFileName = 'hls.m3u8'
export const progressiveFileName = 'video.mp4'
export const renditionFileName = (rung: Rung) => `${rung.name}p.mp4`
const playlistFileName = (rung: Rung) => `${rung.name}p.m3u8`
/** @param number from 2: the first track is in the renditions */
export const soundFileName = (number: number) => `sound-${number}.m4a`

/** Where players that do not measure begin: quick to load, and good enough to look at. */
const firstChoice = 720

/** What a finished ladder consists of. */
export type LadderFacts = {
  renditions: RenditionResult[]
  soundTracks: SoundTrackResult[]
  files: NamedFile[]
}

export type NamedFile = Omit<MadeFile, 'bytes'>

/** Writes the playlists of finished renditions and tells what was made. */
export async function describeLadder(
  { outputFolder }: LadderTask,
  { plan, sounds, outputs }: { plan: LadderPlan; sounds: LadderSounds; outputs: LadderOutputs },
): Promise<LadderFacts> {
  const renditions: RenditionResult[] = []
  for (const { rung, rendition } of outputs.renditions) {
    const facts = await writeRendition(outputFolder, rung, rendition)
    renditions.push({ ...facts, copied: rung === plan.copied })
  }
  const variants = orderForPlayers(renditions)
  const master = writeMasterPlaylist(
    variants.map((one) => ({ ...one, playlist: one.playlistFile })),
  )
  await writeFile(join(outputFolder, masterFileName), master)
  const soundTracks = sounds.others.map(({ language }, index) => ({
    file: soundFileName(index + 2),
    language,
  }))
  const files: NamedFile[] = [
    { name: masterFileName, kind: 'playlist' },
    ...renditions.flatMap(({ file, playlistFile }): NamedFile[] => [
      { name: file, kind: 'rendition' },
      { name: playlistFile, kind: 'playlist' },
    ]),
    ...soundTracks.map(({ file }): NamedFile => ({ name: file, kind: 'sound' })),
    ...(outputs.progressive ? [{ name: progressiveFileName, kind: 'video' } as const] : []),
  ]
  return { renditions, soundTracks, files }
}

export async function measureFiles(folder: string, files: NamedFile[]): Promise<MadeFile[]> {
  const sizes = await Promise.all(files.map(({ name }) => stat(join(folder, name))))
  return files.map((file, index) => ({ ...file, bytes: sizes[index]?.size ?? 0 }))
}

async function writeRendition(folder: string, rung: Rung, rendition: HlsRendition) {
  const file = renditionFileName(rung)
  const playlistFile = playlistFileName(rung)
  const mp4 = await readFragmentedMp4(join(folder, file))
  const segments = listSegments(mp4, rendition.timesSeconds)
  const playlist = writeMediaPlaylist(file, { headBytes: mp4.head.length, segments })
  await writeFile(join(folder, playlistFile), playlist)
  const { peak, average } = measureBandwidth(segments)
  const frameRate = (rendition.pictures - 1) / Math.max(rendition.lastPictureSeconds, 0.001)
  return {
    name: rung.name,
    width: rung.width,
    height: rung.height,
    bandwidth: peak,
    averageBandwidth: average,
    codecs: readCodecs(mp4.head),
    frameRate: roundToMs(Math.min(frameRate, 60)),
    file,
    playlistFile,
  }
}

function orderForPlayers(renditions: RenditionResult[]): RenditionResult[] {
  const first = renditions.find(({ name }) => name <= firstChoice) ?? renditions[0]
  return first ? [first, ...renditions.filter((one) => one !== first)] : []
}
