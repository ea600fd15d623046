/**
 * `clips.json` of Medal, which has no published format. The fields are those that public programs read and write; some versions write
 * them with a small first letter.
 */
import { z } from 'zod'
import { cleanTitle } from '#server/video/processing/source/source-chapter.ts'
import { UNSHOWABLE_CHARACTER } from '#shared/text/shown-text.ts'

const ID_MAX = 64
/** Later times are milliseconds. */
const SECONDS_MAX = 1e11
const UNTITLED = /^untitled$/i
/** Medal's own title is the game and the time of recording. */
const OWN_TITLE = /^(?<game>.*?)\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/

const textSchema = z.string().catch('')
/** A number, also as text. */
const numberSchema = z.unknown().transform((value) => {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /\d/.test(value))
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : Number.NaN
})

const clipSchema = z.object({
  uuid: textSchema,
  clipID: textSchema,
  FilePath: textSchema,
  GameTitle: textSchema,
  title: textSchema,
  GameCategory: z.union([z.string(), z.number().transform(String)]).catch(''),
  TimeCreated: numberSchema,
  Content: z
    .object({
      contentTitle: textSchema,
      contentDescription: textSchema,
      tags: z.array(textSchema).catch([]),
    })
    .catch({ contentTitle: '', contentDescription: '', tags: [] }),
  bookmarks: z
    .array(z.object({ time: numberSchema, name: textSchema, type: textSchema }).catch(noBookmark))
    .catch([]),
})

function noBookmark() {
  return { time: Number.NaN, name: '', type: '' }
}

export type MedalClip = {
  id: string
  /** Path on the computer that recorded; empty for a picture. */
  filePath: string
  /** Empty if nobody gave one. */
  title: string
  description: string
  tags: string[]
  /** Number of the game at Medal. */
  gameId: string
  /** Empty unless Medal's own title has it. */
  gameInTitle: string
  createdAt: Date | undefined
  moments: { atSeconds: number; weight: number; title: string | null }[]
}

/** @returns undefined if it is no list of clips; the number of clips that cannot be read */
export function readMedalClips(
  content: unknown,
): { clips: MedalClip[]; damaged: number } | undefined {
  const list = listOf(content)
  if (!list) return undefined
  const clips = list.map(([key, clip]) => readClip(key, clip))
  const read = clips.filter((clip) => clip !== undefined)
  return { clips: read, damaged: clips.length - read.length }
}

const isId = (text: string) =>
  text !== '' && text.length <= ID_MAX && !UNSHOWABLE_CHARACTER.test(text)

/** An array or object of clips, or an object with one as `clips`. */
function listOf(content: unknown): [key: string, clip: unknown][] | undefined {
  const isObject = typeof content === 'object' && content !== null
  const list = isObject && 'clips' in content ? content.clips : content
  return typeof list === 'object' && list !== null ? Object.entries(list) : undefined
}

function readClip(key: string, content: unknown): MedalClip | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { data: clip } = clipSchema.safeParse(withKnownNames(content))
  if (!clip) return undefined
  const { Content: shared, bookmarks, TimeCreated: time } = clip
  const id = [clip.uuid, clip.clipID, key].find(isId)
  if (id === undefined) return undefined
  const own = OWN_TITLE.exec(clip.GameTitle)
  const titles = [shared.contentTitle, clip.title, own ? '' : clip.GameTitle]
  const createdAt = new Date(time < SECONDS_MAX ? time * 1000 : time)
  return {
    ...{ id, filePath: clip.FilePath.trim(), tags: shared.tags, gameId: clip.GameCategory },
    title: titles.find((title) => title.trim() !== '' && !UNTITLED.test(title.trim())) ?? '',
    description: shared.contentDescription,
    gameInTitle: own?.groups?.game ?? '',
    createdAt: createdAt.getTime() > 0 ? createdAt : undefined,
    moments: bookmarks
      .filter(({ time: atSeconds }) => atSeconds >= 0)
      .map(({ time: atSeconds, name, type }) => ({
        ...{ atSeconds, weight: 1, title: cleanTitle(name || type) },
      })),
  }
}

/** Gives fields such as `filePath` the names of the schema. */
function withKnownNames(content: object): object {
  const names = new Map(Object.keys(clipSchema.shape).map((name) => [name.toLowerCase(), name]))
  const renamed = Object.entries(content).map(([name, value]) => [
    names.get(name.toLowerCase()) ?? name,
    value,
  ])
  return Object.fromEntries(renamed)
}

const gameSchema = z.object({
  categoryId: z.union([z.string(), z.number().transform(String)]),
  categoryName: textSchema,
  alternativeName: textSchema,
})
const gamesSchema = z.object({ games: z.array(gameSchema.or(z.unknown().transform(() => null))) })

/** @returns names of games by their number at Medal; empty for another content than `game.json` has */
export function readMedalGames(content: unknown): Map<string, string> {
  const { data } = gamesSchema.safeParse(content)
  const games = (data?.games ?? []).filter((game) => game !== null)
  return new Map(
    games.map((game) => [game.categoryId, game.categoryName || game.alternativeName] as const),
  )
}
