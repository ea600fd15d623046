import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError, CommandError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { cleanTitle } from '#server/video/processing/source/source-chapter.ts'
import { parseJson } from '../backup/bounded-json.ts'
import { categoryOf, describeVideo } from './describe-video.ts'
import type { ImportSource, OnFetched } from './foreign-library.ts'
import { inTemporaryFolder, makeTemporaryFile } from './temporary-file.ts'
import { describeWithYtDlp, downloadWithYtDlp } from './yt-dlp-process.ts'

const DESCRIBE_MS = 2 * 60 * 1000
const DOWNLOAD_MS = 6 * 60 * 60 * 1000
/** The last time that a date can have. */
const SECONDS_MAX = 8.64e12
const OWN_ONLY = 'Publish only your own uploads, and follow the terms of the site they come from.'

const textSchema = z.string().catch('')
const listSchema = z.array(textSchema).catch([])
const countSchema = z.number().min(0).max(Number.MAX_SAFE_INTEGER).transform(Math.trunc).catch(0)

/** The fields of yt-dlp's `--dump-single-json` that are imported. */
const descriptionSchema = z.object({
  id: z.string().min(1),
  extractor_key: z.string().min(1),
  _type: textSchema,
  is_live: z.boolean().catch(false),
  title: textSchema,
  description: textSchema,
  timestamp: z.number().min(0).max(SECONDS_MAX).nullish().catch(null),
  view_count: countSchema,
  filesize: countSchema,
  filesize_approx: countSchema,
  tags: listSchema,
  categories: listSchema,
  chapters: z
    .array(z.object({ start_time: z.number().min(0), title: textSchema }))
    .nullish()
    .catch([]),
})
type Description = z.infer<typeof descriptionSchema>

/** yt-dlp is a program that an admin installs. It sends its own requests, past the guard of this site. */
export const ytDlp: ImportSource = {
  usage: 'https://HOST/VIDEO',

  async read({ given, config, categories, maxBytes, disk }) {
    const { ytDlp: program } = config
    if (program === undefined) {
      throw new CommandError('yt-dlp is off. Install it, and set YT_DLP to its path.')
    }
    const url = URL.parse(given)
    if (!url || !/^https?:$/.test(url.protocol)) {
      throw new CommandError(`${given} is no address that begins with https://.`)
    }
    if (url.username !== '' || url.password !== '') {
      throw new CommandError(
        'The address must have no name or password: other users could read it.',
      )
    }
    const run = { program, url: url.href, maxBytes }
    const found = await describe(run, disk)
    const { details, notes } = describeFound(found, categories)
    const open = (onFetched?: OnFetched) =>
      makeTemporaryFile(disk, (folder) =>
        downloadWithYtDlp({ ...run, folder, timeoutMs: DOWNLOAD_MS, onFetched }),
      )
    const file = {
      bytes: found.filesize || found.filesize_approx,
      ...{ changedAt: new Date(), isMade: true, open },
    }
    const video = {
      ...{ id: idOf(found), path: url.href, fileName: `${details.title}.mp4`, details, notes },
      publishedAt: found.timestamp == null ? undefined : new Date(found.timestamp * 1000),
      views: found.view_count,
      moments: (found.chapters ?? []).map(({ start_time: atSeconds, title }) => ({
        ...{ atSeconds, weight: 1, title: cleanTitle(title) },
      })),
      findFile: async () => file,
    }
    return { videos: [video], playlists: [], problems: [], notes: [OWN_ONLY] }
  },
}

/** @throws CommandError */
async function describe(
  run: { program: string; url: string; maxBytes: number },
  disk: Disk,
): Promise<Description> {
  try {
    const text = await inTemporaryFolder(disk, (folder) =>
      describeWithYtDlp({ ...run, folder, timeoutMs: DESCRIBE_MS }),
    )
    const { data } = descriptionSchema.safeParse(parseJson(text))
    if (!data) throw new CommandError('yt-dlp gives no description of this address.')
    if (data._type === 'playlist' || data._type === 'multi_video') {
      throw new CommandError('This is the address of several videos. Name that of one.')
    }
    if (data.is_live) throw new CommandError('This is a live stream. Only recordings can come.')
    return data
  } catch (error) {
    throw error instanceof AppError ? new CommandError(error.message) : error
  }
}

function describeFound(
  { title, description, tags, categories: groups }: Description,
  categories: readonly string[],
) {
  const game = [...groups, ...tags].find((name) => categoryOf(name, categories) !== undefined)
  const games = game === undefined ? [] : [game]
  const others = tags.filter((name) => name !== game)
  return describeVideo({ path: 'video', title, description, games, tags: others }, categories)
}

function idOf({ extractor_key: site, id }: Description): string {
  return createHash('sha256').update(`${site} ${id}`).digest('hex')
}
