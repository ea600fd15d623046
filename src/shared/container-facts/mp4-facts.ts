import { type ContainerFacts, type Moment, momentOf } from '../recording-name.ts'
import {
  type Box,
  boxesIn,
  decodeText,
  findBox,
  listBoxes,
  type ReadableFile,
  readBytes,
  wholeFile,
} from './mp4-boxes.ts'

/** The longest part of a text that is read; titles are short. */
const TEXT_BYTES_MAX = 4096
/** The most texts that are read of a list; files have a dozen or two. */
const TEXTS_MAX = 200
/** MP4 counts seconds from 1904. */
const EPOCH_SECONDS = 2_082_844_800
const EARLIEST = Date.UTC(2000, 0)
/** The four letters of the type, as a number. */
const HDLR = 0x68646c72

const GAME_KEY = /(?:^|[._-])game(?:[._-]?(?:name|title))?$/i
const CREATION_KEY = 'com.apple.quicktime.creationdate'
/** With any zone but UTC: that of the place. */
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/
const UNIVERSAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*Z$/

/**
 * Reads the title, game and time of a recording from an MP4 or MOV. Authors, places and programs are not read. Damaged
 * parts are left out.
 */
export async function readMp4Facts(file: ReadableFile): Promise<ContainerFacts> {
  const movie = await findBox(file, wholeFile(file), 'moov')
  if (!movie) return {}
  const texts = new Map<string, string>()
  for (const holder of await listTagHolders(file, movie)) {
    for (const [key, text] of await readTags(file, holder)) texts.set(key, text)
  }
  const game = [...texts].find(([key]) => GAME_KEY.test(key))?.[1]
  const title = texts.get('©nam') ?? texts.get('com.apple.quicktime.title')
  const recordedAt = readLocalTime(texts.get(CREATION_KEY)) ?? (await readCreation(file, movie))
  return { game, title, recordedAt }
}

/** The `udta` boxes of QuickTime, and the `meta` boxes inside and beside them. */
async function listTagHolders(file: ReadableFile, movie: Box): Promise<Box[]> {
  const user = await listBoxes(file, movie, 'udta')
  const holders = [...user, ...(await listBoxes(file, movie, 'meta'))]
  for (const box of user) holders.push(...(await listBoxes(file, box, 'meta')))
  return holders
}

async function readTags(file: ReadableFile, holder: Box): Promise<[key: string, text: string][]> {
  if (holder.type === 'udta') {
    const found: [string, string][] = []
    for (const box of await listBoxes(file, holder, '©nam')) {
      // A length and a language come first.
      found.push([box.type, await readText(file, box.from + 4, box.until)])
    }
    return found
  }
  // In MP4 a version comes first, unlike in QuickTime.
  const head = await readBytes(file, holder.from, holder.from + 8)
  const isPlain = head.byteLength === 8 && head.getUint32(4) === HDLR
  const inner = { ...holder, from: holder.from + (isPlain ? 0 : 4) }
  const keys = await findBox(file, inner, 'keys')
  const list = await findBox(file, inner, 'ilst')
  if (!list) return []
  const names = keys ? await readKeys(file, keys) : null
  const found: [string, string][] = []
  for await (const item of boxesIn(file, list)) {
    if (found.length === TEXTS_MAX) break
    const name = names ? names[numberOf(item.type) - 1] : item.type
    const isWanted = name && (name === '©nam' || GAME_KEY.test(name) || /^com\.apple/.test(name))
    const data = isWanted ? await findBox(file, item, 'data') : undefined
    // A kind and a locale come first.
    if (name && data) found.push([name, await readText(file, data.from + 8, data.until)])
  }
  return found
}

async function readKeys(file: ReadableFile, keys: Box): Promise<string[]> {
  const names: string[] = []
  for await (const { from, until } of boxesIn(file, { ...keys, from: keys.from + 8 })) {
    if (names.push(await readText(file, from, until)) === TEXTS_MAX) break
  }
  return names
}

const numberOf = (type: string) =>
  [...type].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0)

async function readText(file: ReadableFile, from: number, until: number): Promise<string> {
  const bytes = await readBytes(file, from, Math.min(until, from + TEXT_BYTES_MAX))
  return decodeText(bytes)
}

function readLocalTime(text: string | undefined): Moment | undefined {
  if (text && UNIVERSAL_TIME.test(text)) {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? undefined : momentOf(date)
  }
  const [year, month, day, hour, minute] = (LOCAL_TIME.exec(text ?? '') ?? []).slice(1).map(Number)
  if (!year || !month || !day || hour === undefined || minute === undefined) return undefined
  return { year, month, day, hour, minute }
}

/** The time in the header of the movie is in UTC, and 0 when the recorder did not know it. */
async function readCreation(file: ReadableFile, movie: Box): Promise<Moment | undefined> {
  const header = await findBox(file, movie, 'mvhd')
  if (!header) return undefined
  const bytes = await readBytes(file, header.from, header.from + 12)
  if (bytes.byteLength < 12) return undefined
  const seconds = bytes.getUint8(0) === 1 ? Number(bytes.getBigUint64(4)) : bytes.getUint32(4)
  const date = new Date((seconds - EPOCH_SECONDS) * 1000)
  return date.getTime() > EARLIEST && date.getTime() < Date.now() ? momentOf(date) : undefined
}
