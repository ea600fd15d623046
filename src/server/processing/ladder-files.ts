import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stream } from 'node-av/lib'
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
import type { LadderResult, LadderTask, MadeFile, RenditionResult } from './media-task.ts'
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

/** Writes the playlists of finished renditions and tells what was made. */
export async function describeLadder(
  task: LadderTask,
  input: { plan: LadderPlan; sounds: LadderSounds; outputs: LadderOutputs },
): Promise<LadderResult> {
  const { plan, sounds, outputs } = input
  const folder = task.outputFolder
  const renditions: RenditionResult[] = []
  for (const { rung, rendition } of outputs.renditions) {
    const facts = await writeRendition(folder, rung, rendition)
    renditions.push({ ...facts, copied: rung === plan.copied })
  }
  const master = writeMasterPlaylist(
    orderForPlayers(renditions).map((one) => ({ ...one, playlist: one.playlistFile })),
  )
  await writeFile(join(folder, masterFileName), master)
  const soundTracks = sounds.others.map((stream, index) => ({
    file: soundFileName(index + 2),
    ...describeSound(stream),
  }))
  const files: Omit<MadeFile, 'bytes'>[] = [
    { name: masterFileName, kind: 'playlist' },
    ...renditions.flatMap(({ file, playlistFile }) => [
      { name: file, kind: 'rendition' as const },
      { name: playlistFile, kind: 'playlist' as const },
    ]),
    ...soundTracks.map(({ file }) => ({ name: file, kind: 'sound' as const })),
    ...(outputs.progressive ? [{ name: progressiveFileName, kind: 'video' as const }] : []),
  ]
  const [largest] = renditions
  return {
    durationSeconds: roundToMs(plan.durationSeconds),
    width: largest?.width ?? plan.picture.width,
    height: largest?.height ?? plan.picture.height,
    renditions,
    soundTracks,
    loudnessLufs: sounds.meter.finish(),
    masterFile: masterFileName,
    progressiveFile: outputs.progressive ? progressiveFileName : null,
    files: await measureFiles(folder, files),
  }
}

export async function measureFiles(
  folder: string,
  files: Omit<MadeFile, 'bytes'>[],
): Promise<MadeFile[]> {
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
  const frameRate = rendition.pictures / Math.max(rendition.pictureEndSeconds, 0.001)
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

/** A language code is no secret; titles are people's own words and stay behind. */
function describeSound({ metadata }: Stream): { language: string | null } {
  const language = metadata?.get('language') ?? ''
  return { language: /^[a-z]{2,3}$/.test(language) && language !== 'und' ? language : null }
}
