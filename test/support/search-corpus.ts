import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'

const SEED = 21
const DAY_MS = 86_400_000
const CATEGORIES = ['Minecraft', 'Rust', 'CS2', 'Rainbow Six', 'Other']
const OF_VIDEOS = ['match', 'round', 'final', 'clip', 'best', 'the', 'of', 'with', 'last', 'team']
const OF_SCRIPTS = [
  ...['Überfall', 'Ñandú', 'Café', 'naïve', 'Straße', 'İstanbul', 'ışık', 'Đặng', 'Việt', 'œuvre'],
  ...[
    'Майнкрафт',
    'Ёлка',
    'йод',
    'ёж',
    'Київ',
    'Άγγελος',
    'σίσυφος',
    'ΟΔΟΣ',
    '한국',
    '게임',
    '한국어',
  ],
  ...[
    'がんばれ',
    'ゲーム',
    '日本語の動画',
    'हिन्दी',
    'वीडियो',
    'กำลังเล่น',
    'שלום',
    'مرحبا',
    'ＦＰＳ',
    '１２',
  ],
  ...[
    '不道德公會',
    '第3集',
    '격투게임대회',
    'ｽｰﾊﾟｰ',
    'AK-47',
    'ak47',
    'CS:GO',
    'csgo',
    'no_scope',
    'noscope',
  ],
  ...['Łódź', 'Ægir', 'مُبَارَاة', 'ไม่มี', 'S.T.A.L.K.E.R.', 'Half-Life', 'halflife', 'GTA5', 'GTA'],
]
const SIGNS = [
  'C++',
  'C#',
  '100%',
  'R&D',
  '★',
  '★★★',
  '🔥',
  '🔥 🔥',
  '👨‍👩‍👧',
  'a_b',
  '$$$',
  '+1',
  '(go)',
  '<3',
]
const SYLLABLES = [
  'ka',
  'zor',
  'mi',
  'tel',
  'bra',
  'no',
  'shi',
  'qua',
  'ven',
  'dol',
  'pre',
  'x',
  'ing',
  'est',
]

/** What a video of the corpus is made of; its owner is one of so many members. */
export type CorpusVideo = { owner: number; fields: Partial<NewVideoRow> }
export type CorpusQuery = { q: string; category: string | undefined; sort: SearchSort }

export const CORPUS_MEMBERS = 40

/** Names of members; some are words of titles, too. */
export function listCorpusNames(): { username: string; displayName: string }[] {
  const words = createVocabulary()
  return Array.from({ length: CORPUS_MEMBERS }, (_, at) => ({
    username: `member${at}`,
    displayName: [words[at * 7], OF_SCRIPTS[at], SIGNS[at]].filter(Boolean).join(' '),
  }))
}

/** The same videos for the same number: frequent words and rare ones, scripts, signs, levels and hidden ones. */
export function listCorpusVideos(count: number): CorpusVideo[] {
  const random = createRandom(SEED, 'videos')
  const words = createVocabulary()
  return Array.from({ length: count }, () => ({
    owner: random.integer(0, CORPUS_MEMBERS - 1),
    fields: {
      title: phrase(random, words, random.integer(1, 6)).slice(0, 100),
      description: random.chance(0.6) ? phrase(random, words, random.integer(3, 60)) : '',
      tags: JSON.stringify(listTags(random, words)),
      category: random.pick(CATEGORIES),
      // Many have the same number of views, or none.
      viewCount: random.chance(0.3) ? 0 : Math.floor(random.fraction() ** 4 * 5000),
      publishedAt: new Date(Date.UTC(2026, 0, 1) - random.integer(0, 700) * DAY_MS).toISOString(),
      ...hide(random),
    },
  }))
}

function listTags(random: Random, words: string[]): string[] {
  const tags = Array.from({ length: random.integer(0, 4) }, () =>
    phrase(random, words, 1).slice(0, 30),
  )
  return [...new Set(tags.map((tag) => tag.toLowerCase()))]
}

function hide(random: Random): Partial<NewVideoRow> {
  const levels: Visibility[] = ['members', 'unlisted', 'private']
  return {
    visibility: random.chance(0.25) ? random.pick(levels) : 'public',
    contentApproved: random.chance(0.05) ? 0 : 1,
    isAnonymous: random.chance(0.1) ? 1 : 0,
    processingState: random.chance(0.05)
      ? random.pick(['processing', 'failed', 'deleting'])
      : 'ready',
  }
}

/** Some thousands of words, of which the first are to be the most frequent. */
function createVocabulary(): string[] {
  const random = createRandom(SEED, 'words')
  const made = Array.from({ length: 900 }, () =>
    Array.from({ length: random.integer(1, 4) }, () => random.pick(SYLLABLES)).join(''),
  )
  return [...new Set([...OF_VIDEOS, ...made.slice(0, 30), ...OF_SCRIPTS, ...made])]
}

function phrase(random: Random, words: string[], length: number): string {
  return Array.from({ length }, () => {
    if (random.chance(0.06)) return random.pick(SIGNS)
    const word = words[Math.floor(random.fraction() ** 3 * words.length)] ?? ''
    return random.chance(0.2) ? word.toUpperCase() : word
  }).join(random.chance(0.1) ? ', ' : ' ')
}

/** What people ask for who know these videos: words, beginnings, mistakes, signs, with a game and in any order. */
export function listCorpusQueries(videos: CorpusVideo[], count: number): CorpusQuery[] {
  const random = createRandom(SEED, 'queries')
  const queries = new Map<string, CorpusQuery>()
  while (queries.size < count) {
    const { title, description, tags } = random.pick(videos).fields
    const text = random.pick([
      title,
      title,
      description,
      (JSON.parse(tags ?? '[]') as string[]).join(' '),
    ])
    const parts = (text ?? '').split(/[\s,]+/u).filter((part) => part !== '')
    if (parts.length === 0) continue
    const from = random.integer(0, parts.length - 1)
    const some = parts.slice(from, from + random.integer(1, 3)).map((part) => mistype(random, part))
    const q = some.join(' ')
    const category = random.chance(0.15) ? random.pick(CATEGORIES) : undefined
    const sort = random.pick(['relevance', 'relevance', 'relevance', 'date', 'views'] as const)
    queries.set(`${q} ${category} ${sort}`, { q, category, sort })
  }
  return [...queries.values()]
}

/** A word as it is typed: whole, in part, or with a letter left out, doubled, swapped or mistaken. */
function mistype(random: Random, word: string): string {
  const letters = [...word]
  const at = random.integer(0, letters.length - 1)
  const kind = random.integer(0, 9)
  if (kind < 5 || letters.length < 3) return word
  if (kind === 5) return letters.slice(0, Math.max(1, at)).join('')
  if (kind === 6) return letters.toSpliced(at, 1).join('')
  if (kind === 7) return letters.toSpliced(at, 0, letters[at] ?? '').join('')
  if (kind === 8) return letters.toSpliced(at, 1, 'e').join('')
  return letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()).join('')
}
