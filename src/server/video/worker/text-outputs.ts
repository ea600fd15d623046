import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameSoundTracks } from '#shared/sound-tracks.ts'
import {
  type MasterPlaylist,
  writeMasterPlaylist,
  writeMediaPlaylist,
} from '../processing/package/hls-playlist.ts'
import { parseMasterPlaylist, parseMediaPlaylist } from '../processing/package/parse-playlist.ts'
import { parseStoryboardCues, writeStoryboardCues } from '../processing/picture/storyboard-cues.ts'
import type { LadderResult, MadeFile } from '../processing/tasks/media-task.ts'

type Sizes = ReadonlyMap<string, number>
type Rewritten = { text: string } | { problem: string }

const MASTER_FILE = 'hls.m3u8'
const STREAMS = new Set<MadeFile['kind']>(['rendition', 'sound'])
const SOUND_PLAYLIST = /^sound-(\d{1,2})\.m3u8$/

/**
 * Writes a worker's text anew: players obey it and may fetch foreign files.
 * @returns what is wrong with a text that the site would not write
 */
export async function replaceText(
  folder: string,
  { name, sizes, result }: { name: string; sizes: Sizes; result: LadderResult },
): Promise<string | undefined> {
  const path = join(folder, name)
  const sent = await readFile(path, 'utf8')
  const rewritten = name.endsWith('.vtt')
    ? rewriteStoryboard(sent, { name, sizes })
    : name === MASTER_FILE
      ? rewriteMaster(sent, result)
      : rewriteMedia(sent, { name, result })
  if ('problem' in rewritten) return rewritten.problem
  await writeFile(path, rewritten.text)
  return undefined
}

function rewriteMedia(
  sent: string,
  { name, result }: { name: string; result: LadderResult },
): Rewritten {
  const playlist = parseMediaPlaylist(sent)
  if (!playlist) return { problem: `${name} has lines that are of no playlist` }
  const { file, headBytes, segments } = playlist
  const stream = result.files.find((one) => one.name === file && STREAMS.has(one.kind))
  if (!stream) return { problem: `${name} names a file that was not sent` }
  const ends = [headBytes, ...segments.map((segment) => segment.start + segment.bytes)]
  if (ends.some((end) => end > stream.bytes)) {
    return { problem: `${name} names parts that ${file} has not` }
  }
  const total = segments.reduce((sum, segment) => sum + segment.seconds, 0)
  const isApart = result.files.some(({ kind }) => kind === 'sound')
  const isShort = total < result.durationSeconds - 1 && !isApart
  if (isShort || total > result.durationSeconds + 1) {
    return { problem: `${name} lasts ${total.toFixed(1)} seconds` }
  }
  return { text: writeMediaPlaylist(playlist) }
}

/** Names and languages are the result's. */
function rewriteMaster(sent: string, result: LadderResult): Rewritten {
  const playlist = parseMasterPlaylist(sent)
  if (!playlist) return { problem: `${MASTER_FILE} has lines that are of no playlist` }
  const { soundLanguage, soundTracks, soundNames, files } = result
  const languages = [soundLanguage, ...soundTracks.map(({ language }) => language)]
  const names = nameSoundTracks(
    languages.map((language, index) => ({ language, name: soundNames[index] })),
  )
  const playlists = new Set(files.filter(({ kind }) => kind === 'playlist').map(({ name }) => name))
  const sounds: MasterPlaylist['sounds'] = []
  for (const sound of playlist.sounds) {
    const index = Number(SOUND_PLAYLIST.exec(sound.playlist)?.[1]) - 1
    const [name, language = null] = [names[index], languages[index]]
    if (name === undefined) playlists.delete(sound.playlist)
    else sounds.push({ ...sound, name, language })
  }
  const named = [...playlist.sounds, ...playlist.renditions]
  if (named.some((one) => !playlists.has(one.playlist))) {
    return { problem: `${MASTER_FILE} names a file that was not sent` }
  }
  return { text: writeMasterPlaylist({ renditions: playlist.renditions, sounds }) }
}

function rewriteStoryboard(
  sent: string,
  { name, sizes }: { name: string; sizes: Sizes },
): Rewritten {
  const cues = parseStoryboardCues(sent)
  if (!cues) return { problem: `${name} has lines that are of no storyboard` }
  const isSent = ({ sheet }: { sheet: string }) => /\.jpg$/.test(sheet) && sizes.has(sheet)
  if (!cues.every(isSent)) return { problem: `${name} names a file that was not sent` }
  return { text: writeStoryboardCues(cues) }
}

/** Compares first and last bytes. */
export async function pictureProblem(
  folder: string,
  { name, bytes }: { name: string; bytes: number },
): Promise<string | undefined> {
  const file = await open(join(folder, name), 'r')
  try {
    const head = Buffer.alloc(12)
    const tail = Buffer.alloc(2)
    await file.read(head, 0, 12, 0)
    await file.read(tail, 0, 2, Math.max(0, bytes - 2))
    const isJpeg = head.readUInt16BE(0) === 0xffd8 && tail.readUInt16BE(0) === 0xffd9
    const isWebp =
      head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
    const isRight = name.endsWith('.webp') ? isWebp : isJpeg
    return isRight ? undefined : `${name} is no picture`
  } finally {
    await file.close()
  }
}
