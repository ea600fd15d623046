import { posix, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { AppError, CommandError } from '#server/platform/errors.ts'
import { cleanTitle } from '#server/video/processing/source/source-chapter.ts'
import { MAX_CAPTIONS_BYTES } from '#shared/limits.ts'
import { languageTag } from '#shared/sound-tracks.ts'
import { countOf } from '#shared/text/format.ts'
import { categoryOf, describeVideo } from './describe-video.ts'
import { type DownloadDeps, download } from './download.ts'
import type {
  FindFile,
  ForeignProblem,
  ForeignVideo,
  ImportSource,
  OnFetched,
} from './foreign-library.ts'
import {
  findMediacmsMedia,
  findMediacmsUser,
  headersOf,
  listMediacmsMedia,
  type MediacmsApi,
  type MediacmsMedia,
  readChapterTime,
} from './mediacms-api.ts'
import { readSmallFile } from './small-file.ts'

const TOKEN_BYTES_MAX = 4096
const STANDARD_INPUT = '-'
/** After so many the site is likely away. */
const UNANSWERED_MAX = 5
const DAMAGED = 'MediaCMS does not answer about it, or its answer is damaged.'

export const mediacms: ImportSource = {
  usage: 'https://SITE --token-file FILE [--author USERNAME]',
  options: ['token-file', 'author'],

  async read({ given, options, categories, maxBytes, outgoing, disk }) {
    const { origin } = URL.parse(given) ?? {}
    if (!origin || !/^https?:/.test(origin)) {
      throw new CommandError(`${given} is no address that begins with https://.`)
    }
    const api = { origin, outgoing, token: await readToken(options['token-file']) }
    const author = options.author ?? (await findMediacmsUser(api))
    const { media, damaged } = await listMediacmsMedia(api, author)
    const listed = media.filter(({ media_type: type }) => type === 'video').toReversed()
    const videos: ForeignVideo[] = []
    const problems: ForeignProblem[] = []
    if (damaged > 0) {
      problems.push({
        path: origin,
        sentence: `${countOf(damaged, 'row')} of its list cannot be read.`,
      })
    }
    let unanswered = 0
    for (const { friendly_token: id, title } of listed) {
      const path = title === '' ? id : `${title} (${id})`
      const video = await findMediacmsMedia(api, id).catch((error: unknown) => {
        if (!(error instanceof CommandError) || ++unanswered === UNANSWERED_MAX) throw error
        return undefined
      })
      if (video) videos.push(describeMedia(video, { id, path, api, categories, disk, maxBytes }))
      else problems.push({ path, sentence: DAMAGED })
    }
    const others = media.length - listed.length
    const notes =
      others > 0
        ? [`${countOf(others, 'other file')} of MediaCMS cannot come: this is a video site.`]
        : []
    return { videos, playlists: [], problems, notes }
  },
}

/** The token is in a file, since other users of the machine can read arguments and variables. */
async function readToken(path: string | undefined): Promise<string> {
  if (path === undefined) {
    throw new CommandError(
      'Write the token of MediaCMS into a file, and name it: --token-file FILE',
    )
  }
  // The desk writes it to the standard input.
  const text =
    path === STANDARD_INPUT
      ? await readText(process.stdin)
      : (await readSmallFile(resolve(path), TOKEN_BYTES_MAX))?.toString('utf8')
  const token = text?.trim() ?? ''
  if (!/^[\w.~+/=-]+$/.test(token)) throw new CommandError(`${path} has no token in it.`)
  return token
}

type Described = {
  id: string
  path: string
  api: MediacmsApi
  categories: readonly string[]
  disk: DownloadDeps['disk']
  maxBytes: number
}

function describeMedia(media: MediacmsMedia, input: Described): ForeignVideo {
  const { id, path, categories, maxBytes } = input
  const { categories_info: groups, tags_info: tags, state: visibility } = media
  const game = [...groups, ...tags].find((name) => categoryOf(name, categories) !== undefined)
  const fileName = posix.basename(media.original_media_url.split('?')[0] ?? '') || `${id}.mp4`
  const described = describeVideo(
    {
      ...{ path: fileName, title: media.title, description: media.description, visibility },
      games: game === undefined ? [] : [game],
      tags: [...groups, ...tags].filter((name) => name !== game),
    },
    categories,
  )
  const finder = (address: string, bytesMax: number) => findAt(address, { ...input, bytesMax })
  return {
    ...{ ...described, id, path, fileName, publishedAt: media.add_date, views: media.views },
    findFile: finder(media.original_media_url, maxBytes),
    captions: media.subtitles_info.flatMap(({ src, srclang }) => {
      const language = languageTag(srclang)
      return language === null ? [] : [{ language, find: finder(src, MAX_CAPTIONS_BYTES) }]
    }),
    moments: media.chapter_data.flatMap((chapter) => {
      const atSeconds = readChapterTime(chapter.start ?? chapter.startTime)
      const title = cleanTitle(chapter.title || chapter.chapterTitle)
      return atSeconds === undefined ? [] : [{ atSeconds, weight: 1, title }]
    }),
    settings: {
      commentsOff: media.enable_comments ? 0 : 1,
      allowsDownload: media.allow_download ? 1 : 0,
    },
  }
}

/** Files are on the host of the site, the only one that gets the token. */
function findAt(
  address: string,
  { api, disk, bytesMax }: Pick<Described, 'api' | 'disk'> & { bytesMax: number },
): FindFile {
  return async () => {
    const { origin, token, outgoing } = api
    const url = address === '' ? null : URL.parse(address, origin)
    if (!url) throw new AppError('not-found', 'MediaCMS does not give its original file.')
    if (url.origin !== origin) throw new AppError('invalid', 'Its file is on another host.')
    const wanted = { url: url.href, headers: headersOf(token), maxBytes: bytesMax }
    const open = (onFetched?: OnFetched) => download({ outgoing, disk }, { ...wanted, onFetched })
    return { bytes: 0, changedAt: new Date(), isMade: true, open }
  }
}
