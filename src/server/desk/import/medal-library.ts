import { realpath, stat } from 'node:fs/promises'
import { join, resolve, win32 } from 'node:path'
import { CommandError } from '#server/platform/errors.ts'
import { readRecordingName } from '#shared/recording-name.ts'
import { countOf } from '#shared/text/format.ts'
import { parseBounded } from '../backup/bounded-json.ts'
import { findContainedFile } from './contained-file.ts'
import { describeVideo } from './describe-video.ts'
import { findByTail, listFilesByName } from './file-by-tail.ts'
import type { ForeignVideo, ImportSource } from './foreign-library.ts'
import { type MedalClip, readMedalClips, readMedalGames } from './medal-clips.ts'
import { readSmallFile } from './small-file.ts'
import { describeUnreadable } from './unreadable-file.ts'

const CLIPS = 'clips.json'
const GAMES = 'game.json'
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
const JSON_BYTES_MAX = 64 * 1024 * 1024

export const medal: ImportSource = {
  usage: 'FOLDER [--videos FOLDER]',
  options: ['videos'],

  async read({ path: folder, options, categories }) {
    const videosFolder = options.videos === undefined ? folder : resolve(options.videos)
    for (const one of [folder, videosFolder]) {
      const isFolder = await stat(one).then(
        (stats) => stats.isDirectory(),
        () => false,
      )
      if (!isFolder) throw new CommandError(`There is no folder ${one}.`)
    }
    const content = await readJson(folder, CLIPS)
    if (content === undefined) throw new CommandError(`There is no ${CLIPS} in ${folder}.`)
    const read = readMedalClips(content)
    if (!read) throw new CommandError(`${join(folder, CLIPS)} is not a list of Medal's clips.`)
    const games = readMedalGames(await readJson(folder, GAMES))
    const root = await realpath(videosFolder)
    const unreadable: string[] = []
    const files = await listFilesByName(root, (path) => unreadable.push(path))
    const videos = new Map<string, ForeignVideo>()
    const pictures = read.clips.filter(({ filePath }) => filePath === '').length
    for (const clip of read.clips) {
      const { id, filePath, moments, createdAt: publishedAt } = clip
      if (filePath === '' || videos.has(id)) continue
      const fileName = win32.basename(filePath)
      const findFile = async () => findContainedFile({ root, path: findByTail(files, filePath) })
      const described = describeClip(clip, { fileName, games, categories })
      videos.set(id, {
        ...{ ...described, id, path: filePath, fileName, publishedAt, views: 0, moments, findFile },
      })
    }
    const timeOf = ({ publishedAt }: ForeignVideo) => publishedAt?.getTime() ?? 0
    const damaged = `${countOf(read.damaged, 'clip')} cannot be read.`
    return {
      videos: [...videos.values()].sort((one, other) => timeOf(one) - timeOf(other)),
      playlists: [],
      problems: [
        ...(read.damaged > 0 ? [{ path: CLIPS, sentence: damaged }] : []),
        ...unreadable.map(describeUnreadable),
      ],
      notes:
        pictures > 0
          ? [`${countOf(pictures, 'picture')} of Medal cannot come: this is a video site.`]
          : [],
    }
  },
}

function describeClip(
  { title, description, tags, gameId, gameInTitle, filePath }: MedalClip,
  {
    fileName,
    games,
    categories,
  }: { fileName: string; games: Map<string, string>; categories: readonly string[] },
) {
  const usual = readRecordingName(fileName, { categories })
  const game = games.get(gameId) || gameInTitle || usual?.game
  return describeVideo(
    {
      ...{ path: filePath.replaceAll('\\', '/'), title: title || (usual?.title ?? '') },
      ...{ description, tags, games: game ? [game] : [] },
    },
    categories,
  )
}

/** @returns undefined if there is none, null if it is no JSON or too large */
async function readJson(folder: string, name: string): Promise<unknown> {
  const bytes = await readSmallFile(join(folder, name), JSON_BYTES_MAX)
  const hasMark = bytes?.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  return bytes && (parseBounded(hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes) ?? null)
}
