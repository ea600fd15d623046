import { chapterAt, parseChapters } from '#shared/chapters.ts'
import { DEFAULT_CATEGORY, TITLE_MAX, TITLE_MIN } from '#shared/limits.ts'
import { readRecordingName } from '#shared/recording-name.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { parseRichText } from '#shared/text/rich-text.ts'
import { hasTimeOfDay } from '#shared/text/time-of-day.ts'

export type TitleFacts = {
  title: string
  description: string
  category: string
  tags: readonly string[]
  /** In seconds, as stored. */
  duration: number
  /** Top-level comments, best liked first. */
  comments: readonly string[]
  /** Titles that a recorder gave to moments within the clip. */
  moments: readonly string[]
  /** Display names of the members who played along. */
  players: readonly string[]
  /** Titles of other clips of the video. */
  taken: readonly string[]
}

type Range = { start: number; end: number }

const MOST = 3
/** Longer comments are not used as titles. */
const COMMENT_MAX = 60
/** People write their comments some seconds after the event, or give a time slightly before it. */
const BEFORE_SECONDS = 2
const AFTER_SECONDS = 8
const NAMED_MAX = 2
/** Matches the preposition before a time, as in 'that shot at 1:45'. */
const PREPOSITION = /(?<=^|\s)(at|around|from|@)\s*$/i

/** Returns distinct titles that contain no time, the best first. */
export function suggestTitles(facts: TitleFacts, range: Range): string[] {
  const { title, category, players } = facts
  const named = nameOf(players)
  const game = category === DEFAULT_CATEGORY ? undefined : category
  const word = facts.tags.map(tidy).find((tag) => tag !== '' && !isSame(tag, category))
  const candidates = [
    ...facts.moments.map(tidy),
    ...saidWithin(facts, range),
    chapterOf(facts, range),
    word && named && `${capital(word)} with ${named}`,
    isRecordingName(title) ? undefined : title,
    named && [game ?? 'Played', `with ${named}`].join(' '),
    game && `${game} clip`,
  ]
  const found: string[] = []
  for (const candidate of candidates) {
    const text = cutText(tidy(candidate ?? ''), TITLE_MAX).trim()
    const isUsable = text.length >= TITLE_MIN && !hasTimeOfDay(text)
    const isNew = ![...found, ...facts.taken].some((other) => isSame(other, text))
    if (isUsable && isNew) found.push(text)
  }
  return found.slice(0, MOST)
}

/** Returns the first sentences of comments that name a time within the clip. */
function saidWithin({ comments, duration }: TitleFacts, { start, end }: Range): string[] {
  return comments.flatMap((content) => {
    const tokens = parseRichText(content, { maxSeconds: duration })
    const isAbout = tokens.some(
      (token) =>
        token.kind === 'time' &&
        token.seconds >= start - BEFORE_SECONDS &&
        token.seconds <= end + AFTER_SECONDS,
    )
    if (!isAbout) return []
    const words = tokens
      .map((token, index) => {
        if (token.kind !== 'text') return ' '
        return tokens[index + 1]?.kind === 'time' ? token.text.replace(PREPOSITION, '') : token.text
      })
      .join('')
      .replaceAll(/\s+(?=,)/g, '')
    const [sentence = ''] = tidy(words).split(/(?<=[.!?…])\s/)
    const text = tidy(sentence.replace(/[.!…]+$/, ''))
    return text.length <= COMMENT_MAX && /\p{L}{2}/u.test(text) ? [capital(text)] : []
  })
}

function chapterOf({ description, duration }: TitleFacts, { start, end }: Range) {
  return chapterAt(parseChapters(description, duration), (start + end) / 2)?.title
}

function nameOf(players: readonly string[]): string | undefined {
  const [first, second] = players
  if (first === undefined) return undefined
  if (second === undefined) return first
  if (players.length === NAMED_MAX) return `${first} and ${second}`
  return `${first} and ${players.length - 1} others`
}

/** Recognizes titles made from a recording, such as 'Rust, 1 May 2025, 22:48', and file names. */
function isRecordingName(title: string): boolean {
  return hasTimeOfDay(title) || readRecordingName(`${title}.mp4`)?.title.includes(',') === true
}

/** Puts the text on one line and removes punctuation around it. */
function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s\-–—:|,.;)\]]+|[\s\-–—:|,;([]+$/g, '')
    .trim()
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
