import { type Category, DEFAULT_CATEGORY } from './limits.ts'
import { cleanGame, saysNothing, withoutKind, withoutMachines } from './recorded-words.ts'

export type RecordingName = {
  game: string | undefined
  category: Category | undefined
  /** Such as 'Rust, 1 May 2025, 22:48'. */
  title: string
  recordedAt: Moment | undefined
}

/** Local time; months from 1. */
export type Moment = { year: number; month: number; day: number; hour: number; minute: number }

export type RecordingHints = {
  /** Added ones are recognised by name. */
  categories?: readonly string[] | undefined
  /** Dropped folders, outermost first, separated by `/`. */
  folder?: string | undefined
  /** Last change in milliseconds; distinguishes 11 May from November 5. */
  modifiedAt?: number | undefined
  /** Offset of the recorder's clock, which is needed for names with a time in UTC. The default is the offset of this machine. */
  utcOffsetMinutes?: number | undefined
  container?: ContainerFacts | undefined
}

export type ContainerFacts = {
  /** Some recorders store the game here. */
  title?: string | undefined
  game?: string | undefined
  recordedAt?: Moment | undefined
}

/** Normalised; numbers are Steam ids. */
const GAMES: Record<string, readonly string[]> = {
  Rust: ['rust', 'rustclient', '252490'],
  CS2: ['cs2', 'counterstrike2', 'csgo', 'counterstrikeglobaloffensive', 'counterstrike', '730'],
  'Rainbow Six': [
    'rainbowsix',
    'rainbowsixsiege',
    'rainbowsixsiegex',
    'tomclancysrainbowsixsiege',
    'tomclancysrainbowsixsiegex',
    'r6',
    'r6s',
    'r6siege',
    '359550',
  ],
  GTA: [
    'gta',
    'gtav',
    'gta5',
    'gtaonline',
    'grandtheftautov',
    'grandtheftauto',
    '271590',
    '3240220',
  ],
  Tarkov: ['tarkov', 'escapefromtarkov', 'escapefromtarkovarena', 'eft'],
  FiveM: ['fivem', 'fivemgtav'],
  Minecraft: ['minecraft', 'minecraftjavaedition', 'minecraftbedrockedition', 'minecraftlauncher'],
}

/** ShadowPlay, OBS, Steam, Xbox consoles, Medal, ReLive, PlayStation, Switch and phones. */
const YEAR_FIRST =
  /(?<!\d)(?<year>20\d\d)[.\-_]?(?<month>\d\d)[.\-_]?(?<day>\d\d)(?:\s*-\s*|[ _T]{1,2}|\sat\s)?(?<hour>\d?\d)[.\-_:]?(?<minute>\d\d)(?:[.\-_:]?\d\d)?(?:[.\-_]?\d{2,3})?(?:\s?(?<half>[AP]M)|(?<zone>Z)(?![a-z]))?(?!\d)/i
/** Medal appends the time to a game that may end in a digit. */
const MEDAL =
  /(?<=^MedalTV.+)(?<year>20\d\d)(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)\d\d(?:\d{3})?$/
/** Outplayed and iPhones: month first; Xbox Game Bar: order of the Windows locale. */
const YEAR_LAST =
  /(?<!\d)(?<month>\d{1,2})(?<mark>[._-])(?<day>\d{1,2})\k<mark>(?<year>20\d\d)[ _](?<hour>\d{1,2})[._-](?<minute>\d{1,2})[._-]\d{1,2}(?:[._-]\d{3})?(?:[ _]?(?<half>[AP]M))?(?!\d)/i
/** Xbox Game Bar in Chinese, Japanese, Korean and Hungarian Windows. */
const YEAR_FIRST_LOCAL =
  /(?<!\d)(?<year>20\d\d)(?<sign>[._-])\s?(?<month>\d{1,2})\k<sign>\s?(?<day>\d{1,2})\.?[ _](?:(?<half>[上下]午|午[前後]|오[전후])\s?)?(?<hour>\d{1,2})[._-](?<minute>\d{1,2})[._-]\d{1,2}(?!\d)/
/** iPhone screen recordings: Unix time of the end. */
const IPHONE = /^RPReplay_Final(?<seconds>1\d{9})(?!\d)/i

const AFTERNOON = /^(?:PM|下午|午後|오후)$/i

const MONTHS =
  'January February March April May June July August September October November December'
const monthNames = MONTHS.split(' ')
const NEAR_MS = 3 * 86_400_000

/**
 * Proposes a title from the game and time in names, folders or metadata. Keeps a chosen name unless
 * the game is known; never includes paths, users or machines.
 * @returns undefined when only the name is known
 */
export function readRecordingName(
  fileName: string,
  hints: RecordingHints = {},
): RecordingName | undefined {
  const { categories = [], container = {} } = hints
  const all = (hints.folder ?? '').split('/').filter(Boolean).map(withoutKind)
  const own = splitName(fileName.replace(/\.[a-z\d]{2,4}$/i, '').replace(/\.DVR$/i, ''), hints)
  const outer = own.moment ? undefined : splitName(all.at(-1) ?? '', hints)
  const { words, moment } = outer?.moment ? outer : own
  const folders = outer?.moment ? all.slice(0, -1) : all
  const isMachineMade = moment !== undefined || words.every(saysNothing)
  const known = (text: string | undefined) => findCategory(text ?? '', categories)
  const told = [container.game, container.title].map(cleanGame)
  const candidates = [...words, ...told, ...folders.toReversed()].filter(
    (text) => text !== undefined,
  )
  const category = candidates.map(known).find((one) => one !== undefined)
  const named = isMachineMade
    ? [...words.map(cleanGame), ...told, folderOfGame(folders)].find((text) => text !== undefined)
    : candidates.find(known)
  const recorded = moment ?? (isMachineMade || category ? container.recordedAt : undefined)
  if (!recorded && !category) return undefined
  const game =
    named === undefined || /^\d+$/.test(named) ? category : (cleanGame(named) ?? category)
  return {
    game,
    category,
    recordedAt: recorded,
    title: [game ?? 'Recording', recorded && formatMoment(recorded)].filter(Boolean).join(', '),
  }
}

function splitName(name: string, hints: RecordingHints): { words: string[]; moment?: Moment } {
  const seconds = IPHONE.exec(name)?.groups?.seconds
  if (seconds) return { words: [], moment: momentOf(new Date(Number(seconds) * 1000), hints) }
  const match =
    MEDAL.exec(name) ?? YEAR_FIRST.exec(name) ?? YEAR_FIRST_LOCAL.exec(name) ?? YEAR_LAST.exec(name)
  const moment = match?.groups && readMoment(match.groups, hints)
  const parts = moment
    ? [name.slice(0, match.index), name.slice(match.index + match[0].length)]
    : [name]
  const words = parts.map(tidy).filter(Boolean)
  return { words, ...(moment && { moment }) }
}

/** Returns the moment in milliseconds. Its fields are local time. */
export function timeOf({ year, month, day, hour, minute }: Moment): number {
  return new Date(year, month - 1, day, hour, minute).getTime()
}

export function momentOf(
  date: Date,
  { utcOffsetMinutes }: Pick<RecordingHints, 'utcOffsetMinutes'> = {},
): Moment {
  if (utcOffsetMinutes !== undefined) {
    const there = new Date(date.getTime() + utcOffsetMinutes * 60_000)
    return {
      year: there.getUTCFullYear(),
      month: there.getUTCMonth() + 1,
      day: there.getUTCDate(),
      hour: there.getUTCHours(),
      minute: there.getUTCMinutes(),
    }
  }
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
  }
}

function readMoment(
  groups: Record<string, string | undefined>,
  { modifiedAt, utcOffsetMinutes }: RecordingHints,
): Moment | undefined {
  const number = (part: string) => Number(groups[part])
  const { half } = groups
  const isAfternoon = half !== undefined && AFTERNOON.test(half)
  const hour = half ? (number('hour') % 12) + (isAfternoon ? 12 : 0) : number('hour')
  const [year, minute] = [number('year'), number('minute')]
  const [first, second] = [number('month'), number('day')]
  const asWritten = { year, month: first, day: second, hour, minute }
  const turned = { ...asWritten, month: second, day: first }
  if (!groups.mark) {
    if (!isReal(asWritten)) return undefined
    if (!groups.zone) return asWritten
    return momentOf(new Date(universalTimeOf(asWritten)), { utcOffsetMinutes })
  }
  // 24-hour clocks go with day first, except with dashes.
  const isDayFirst = groups.mark !== '-' && !half
  const readings = (isDayFirst ? [turned, asWritten] : [asWritten, turned]).filter(isReal)
  const isNear = (one: Moment) =>
    modifiedAt !== undefined && Math.abs(timeOf(one) - modifiedAt) < NEAR_MS
  return readings.find(isNear) ?? readings[0]
}

const universalTimeOf = ({ year, month, day, hour, minute }: Moment) =>
  Date.UTC(year, month - 1, day, hour, minute)

function isReal(moment: Moment): boolean {
  const { year, month, day, hour, minute } = moment
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60
}

function tidy(text: string): string {
  const words = withoutMachines(text.replace(/^MedalTV(?=.)/, '').replaceAll('_', ' '))
    .replace(/^\s*\((.+)\)\s*$/, '$1')
    .replace(/^[\s.\-–]+|[\s.\-–]+$/g, '')
    .replace(/^\d{1,2}$/, '')
  return withoutKind(words)
}

/** Prefers the innermost folder. A single folder without a space may be a user's name. */
function folderOfGame(folders: readonly string[]): string | undefined {
  const [inner, outer] = folders.toReversed()
  if (!inner || /^(?:users|home)$/i.test(outer ?? '')) return undefined
  const isAlone = outer === undefined && !inner.trim().includes(' ')
  return isAlone ? undefined : cleanGame(inner)
}

/** Finds a category by its name or by another name of its game. */
export function findCategory(words: string, categories: readonly string[]): Category | undefined {
  const key = keyOf(words)
  if (key === '') return undefined
  const added = categories.find((name) => name !== DEFAULT_CATEGORY && keyOf(name) === key)
  return added ?? Object.keys(GAMES).find((game) => GAMES[game]?.includes(key))
}

const keyOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')

function formatMoment({ year, month, day, hour, minute }: Moment): string {
  const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return `${day} ${monthNames[month - 1]} ${year}, ${clock}`
}
