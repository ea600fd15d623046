import { type Category, DEFAULT_CATEGORY } from './limits.ts'

/** What a recorder wrote into a file's name. */
export type RecordingName = {
  /** As it may stand in a title. */
  game: string | undefined
  /** The site's category for that game. */
  category: Category | undefined
  /** A title made of both: 'Rust, 1 May 2025, 22:48'. */
  title: string
}

type Moment = { year: number; month: number; day: number; hour: number; minute: number }

/** Names of games without spaces and marks; numbers are Steam's ids of them. */
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

/** Year first: ShadowPlay, OBS, Steam, Xbox Game Bar, Medal, ReLive, consoles and phones. */
const YEAR_FIRST =
  /(?<!\d)(?<year>20\d\d)[.\-_]?(?<month>\d\d)[.\-_]?(?<day>\d\d)(?:\s*-\s*|[ _T]|\sat\s)?(?<hour>\d\d)[.\-_:]?(?<minute>\d\d)(?:[.\-_:]?\d\d)?(?:[.\-_]?\d{2,3})?(?!\d)/
/** Medal puts the time right behind a game whose name may end with a digit. */
const MEDAL =
  /(?<=^MedalTV.+)(?<year>20\d\d)(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)\d\d(?:\d{3})?$/
/** Month first, as Outplayed and an American Game Bar have it. */
const MONTH_FIRST =
  /(?<!\d)(?<month>\d{1,2})[_-](?<day>\d{1,2})[_-](?<year>20\d\d)[ _](?<hour>\d{1,2})[_-](?<minute>\d{1,2})[_-]\d{1,2}(?:[_-]\d{3})?(?:[ _]?(?<half>[AP]M))?(?!\d)/i

/** What stands beside the date and is no game. */
const NO_GAME =
  /^(?:replay|clip|desktop|video|vid|recording|screen ?recording|screen ?recorder|screenrecord|obs|capture|medal|untitled)$/i

const MONTHS =
  'January February March April May June July August September October November December'
const monthNames = MONTHS.split(' ')

/**
 * Reads game and time from the names that recorders give their files.
 * @param categories those of the site; an added one is known by its own name
 * @returns undefined for a name that has neither
 */
export function readRecordingName(
  fileName: string,
  categories: readonly string[] = [],
): RecordingName | undefined {
  const name = fileName.replace(/\.[a-z\d]{2,4}$/i, '').replace(/\.DVR$/i, '')
  const match = MEDAL.exec(name) ?? YEAR_FIRST.exec(name) ?? MONTH_FIRST.exec(name)
  const moment = match?.groups && readMoment(match.groups)
  const words = match && moment ? wordsAround(name, match) : tidy(name)
  const category = findCategory(words, categories)
  if (!moment && !category) return undefined
  const isNamed = words !== '' && !NO_GAME.test(words) && !/^\d+$/.test(words)
  const game = isNamed ? words : category
  return {
    game,
    category,
    title: [game ?? 'Recording', moment && formatMoment(moment)].filter(Boolean).join(', '),
  }
}

function readMoment(groups: Record<string, string | undefined>): Moment | undefined {
  const number = (part: string) => Number(groups[part])
  const half = groups.half?.toUpperCase()
  const hour = half ? (number('hour') % 12) + (half === 'PM' ? 12 : 0) : number('hour')
  const [year, month, day] = [number('year'), number('month'), number('day')]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isReal || hour > 23 || number('minute') > 59) return undefined
  return { year, month, day, hour, minute: number('minute') }
}

/** The game stands before the date; where nothing does, perhaps after it. */
function wordsAround(name: string, match: RegExpExecArray): string {
  const before = tidy(name.slice(0, match.index))
  return before || tidy(name.slice(match.index + match[0].length))
}

function tidy(text: string): string {
  return text
    .replace(/^MedalTV(?=.)/, '')
    .replaceAll('_', ' ')
    .replace(/[ -]+replay[ -]*$/i, '')
    .replace(/^(?:replay|clip)[ -]+(?=\S)/i, '')
    .replace(/^[\s.\-–]+|[\s.\-–]+$/g, '')
    .replace(/^\d{1,2}$/, '')
}

function findCategory(words: string, categories: readonly string[]): Category | undefined {
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
