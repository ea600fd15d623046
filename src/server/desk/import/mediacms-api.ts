/** The REST API of MediaCMS (`files/serializers.py` in its repository). */
import { z } from 'zod'
import { CommandError } from '#server/platform/errors.ts'
import { type Outgoing, OutgoingError } from '#server/platform/outgoing/outgoing.ts'
import { parseJson } from '../backup/bounded-json.ts'

const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const ANSWER_MS = 60_000
const PAGES_MAX = 2000
const MEDIA_MAX = 100_000

const textSchema = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const namesSchema = z
  .array(z.object({ title: textSchema }))
  .catch([])
  .transform((list) => list.map(({ title }) => title))
const timeSchema = textSchema.transform((text) => {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
})

const listedSchema = z.object({
  friendly_token: z.string().regex(/^[\w-]{1,64}$/),
  title: textSchema,
  media_type: textSchema,
})
export type ListedMedia = z.infer<typeof listedSchema>

const pageSchema = z.object({ results: z.array(z.unknown()), next: z.string().nullish() })

const chapterSchema = z.object({
  start: z.unknown().optional(),
  startTime: z.unknown().optional(),
  title: textSchema,
  chapterTitle: textSchema,
})

const mediaSchema = z.object({
  title: textSchema,
  description: textSchema,
  add_date: timeSchema,
  state: z.enum(['private', 'public', 'unlisted']).catch('private'),
  views: z.int().min(0).catch(0),
  original_media_url: textSchema,
  enable_comments: z.boolean().catch(true),
  allow_download: z.boolean().catch(true),
  categories_info: namesSchema,
  tags_info: namesSchema,
  subtitles_info: z.array(z.object({ src: textSchema, srclang: textSchema })).catch([]),
  chapter_data: z.array(chapterSchema).catch([]),
})
export type MediacmsMedia = z.infer<typeof mediaSchema>

export type MediacmsApi = { origin: string; token: string; outgoing: Outgoing }

/** @throws CommandError if the site does not take the token */
export async function findMediacmsUser(api: MediacmsApi): Promise<string> {
  const { data } = z
    .object({ username: z.string() })
    .safeParse(await askForAll(api, '/api/v1/whoami'))
  if (!data) throw new CommandError(`${api.origin} does not answer like MediaCMS 3 or later.`)
  return data.username
}

/**
 * Lists the media of a user, newest first. An answer that is repeated ends the list.
 * @throws CommandError also for more than 100,000
 */
export async function listMediacmsMedia(
  api: MediacmsApi,
  author: string,
): Promise<{ media: ListedMedia[]; damaged: number }> {
  const media = new Map<string, ListedMedia>()
  let damaged = 0
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = new URLSearchParams({ author, page: `${page}` })
    const { data } = pageSchema.safeParse(await askForAll(api, `/api/v1/media?${query}`))
    if (!data) throw new CommandError(`${api.origin} does not answer like MediaCMS.`)
    const before = media.size
    for (const row of data.results) {
      const listed = listedSchema.safeParse(row)
      if (listed.success) media.set(listed.data.friendly_token, listed.data)
      else damaged++
    }
    if (media.size > MEDIA_MAX) {
      throw new CommandError(
        `${api.origin} lists more than ${MEDIA_MAX.toLocaleString('en')} files.`,
      )
    }
    if (!data.next || media.size === before) break
  }
  return { media: [...media.values()], damaged }
}

/**
 * @returns undefined if the answer is damaged or refused
 * @throws CommandError if there is no answer, or one without end
 */
export async function findMediacmsMedia(
  api: MediacmsApi,
  token: string,
): Promise<MediacmsMedia | undefined> {
  const { status, content } = await ask(api, `/api/v1/media/${token}`)
  return status === 200 ? mediaSchema.safeParse(content).data : undefined
}

async function askForAll(api: MediacmsApi, path: string): Promise<unknown> {
  const { status, content } = await ask(api, path)
  if (status === 401 || status === 403) {
    throw new CommandError(`${api.origin} does not accept the token.`)
  }
  if (status !== 200) throw new CommandError(`${api.origin} answers with status ${status}.`)
  return content
}

/** @throws CommandError, which never contains the token */
async function ask({ origin, token, outgoing }: MediacmsApi, path: string) {
  try {
    const { status, body } = await outgoing({
      ...{ url: `${origin}${path}`, headers: headersOf(token) },
      ...{ maxBytes: ANSWER_BYTES_MAX, timeoutMs: ANSWER_MS },
    })
    return { status, content: parseJson(body.toString('utf8')) }
  } catch (error) {
    throw error instanceof OutgoingError ? new CommandError(error.message) : error
  }
}

export const headersOf = (token: string) => ({
  authorization: `Token ${token}`,
  accept: 'application/json, */*;q=0.5',
})

/** @returns seconds of '75.5', '00:01:15.500' or a number; undefined for anything else */
export function readChapterTime(time: unknown): number | undefined {
  if (typeof time === 'number') return time >= 0 && Number.isFinite(time) ? time : undefined
  if (typeof time !== 'string' || !/^(?:\d{1,3}:){0,2}\d{1,6}(?:\.\d{1,6})?$/.test(time)) {
    return undefined
  }
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
