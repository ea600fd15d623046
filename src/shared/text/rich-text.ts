import { firstCharacters } from './cut-text.ts'

/** Concatenated tokens give the text. */
export type RichTextToken =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  /** `seconds` into the video. */
  | { kind: 'time'; text: string; seconds: number }
  /** Without #. */
  | { kind: 'hashtag'; text: string; tag: string }
  | { kind: 'mention'; text: string }

const LINK = String.raw`(?<link>(?<![\p{L}\p{N}])https?:\/\/[^\s<>"\u0000-\u001f]+)`
const TIME = String.raw`(?<time>(?<![\p{L}\p{N}:.,])(?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d(?![\p{L}\p{N}:]))`
const HASHTAG = String.raw`(?<hashtag>(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_]{2,30}(?![\p{L}\p{N}_]))`
const MENTION = String.raw`(?<mention>(?<![\p{L}\p{N}@][._-]{0,8})@[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9])`
const PAIRS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const SENTENCE_ENDS = new Set(".,;:!?'*_~…")
const CLICKABLE = new RegExp([LINK, TIME, HASHTAG, MENTION].join('|'), 'giu')

/** @param options.maxSeconds later times stay plain text */
export function parseRichText(
  text: string,
  options: { maxSeconds?: number } = {},
): RichTextToken[] {
  const tokens: RichTextToken[] = []
  let end = 0
  for (const match of text.matchAll(CLICKABLE)) {
    const token = toToken(match.groups ?? {}, options.maxSeconds ?? Number.POSITIVE_INFINITY)
    if (!token) continue
    if (match.index > end) tokens.push({ kind: 'text', text: text.slice(end, match.index) })
    tokens.push(token)
    end = match.index + token.text.length
  }
  if (end < text.length) tokens.push({ kind: 'text', text: text.slice(end) })
  return tokens
}

function toToken(
  { link, time, hashtag, mention }: Record<string, string | undefined>,
  maxSeconds: number,
): RichTextToken | undefined {
  if (link) return toLink(link)
  if (hashtag) return { kind: 'hashtag', text: hashtag, tag: hashtag.slice(1) }
  if (mention) return { kind: 'mention', text: mention }
  if (!time) return undefined
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return seconds <= maxSeconds ? { kind: 'time', text: time, seconds } : undefined
}

function toLink(found: string): RichTextToken | undefined {
  const text = withoutSentenceEnd(found)
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  return { kind: 'link', text, href: url.href }
}

/** Keeps a closing bracket that the link opened. */
function withoutSentenceEnd(link: string): string {
  const unopened = new Map([...PAIRS.values()].map((closing) => [closing, 0]))
  for (const character of link) {
    const closing = PAIRS.get(character)
    if (closing) unopened.set(closing, (unopened.get(closing) ?? 0) - 1)
    const count = unopened.get(character)
    if (count !== undefined) unopened.set(character, count + 1)
  }
  let end = link.length
  for (; end > 0; end--) {
    const last = link.charAt(end - 1)
    const count = unopened.get(last) ?? 0
    if (count > 0) unopened.set(last, count - 1)
    else if (!SENTENCE_ENDS.has(last)) break
  }
  return link.slice(0, end)
}

/** In graphemes; a cut link keeps its target. */
export function cutRichText(tokens: RichTextToken[], length: number): RichTextToken[] {
  const cut: RichTextToken[] = []
  let left = length
  for (const token of tokens) {
    if (left <= 0) break
    const { text, count } = firstCharacters(token.text, left)
    cut.push({ ...token, text })
    left -= count
  }
  return cut
}
