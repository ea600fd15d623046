import { composeText } from '#shared/text/compose-text.ts'
import { cutText } from '#shared/text/cut-text.ts'

type Piece = { text: string } | { open: string; name: string } | { close: string }

const ALLOWED_TAGS = new Set(['b', 'i', 'u', 'v'])
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:[.\s][^<>]*)?)\/?>|<\/?>|<\d+:[\d:.]+>/gi
/** Their content is no text. */
const WORDLESS = /<(script|style)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi
/** Advanced SubStation in SubRip, such as '{\an8}'. */
const OVERRIDE = /\{\\[^{}]*\}/g
// Controls, direction overrides and lone surrogates, but no line ends.
const UNSHOWABLE = /[[[\p{Cc}\p{Cs}]--[\t\n]]\u202a-\u202e\u2066-\u2069]/gv
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
}
const VOICE_MAX = 100
const DEPTH_MAX = 8
const MARKUP = /<[^>]*>/g
const VISIBLE = /[^\s\p{Z}\p{Cf}]/u

/** Closes all tags; empty without text. */
export function cleanCueText(text: string): string {
  const open: string[] = []
  let out = ''
  const closeUpTo = (tag: string) => {
    const at = open.lastIndexOf(tag)
    if (at < 0) return
    for (const each of open.splice(at).reverse()) out += `</${each}>`
  }
  for (const piece of splitPieces(text.replace(WORDLESS, '').replace(OVERRIDE, ''))) {
    if ('text' in piece) out += asText(decode(piece.text))
    else if ('close' in piece) closeUpTo(piece.close)
    else if (open.length < DEPTH_MAX) {
      open.push(piece.open)
      out += piece.name ? `<${piece.open} ${piece.name}>` : `<${piece.open}>`
    }
  }
  if (open[0]) closeUpTo(open[0])
  const lines = out.split('\n').map((line) => line.trim())
  const clean = lines.filter(Boolean).join('\n')
  return VISIBLE.test(clean.replaceAll(MARKUP, '')) ? clean : ''
}

function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(TAG)) {
    pieces.push({ text: text.slice(end, match.index) })
    end = match.index + match[0].length
    const [, slash, name = '', rest = ''] = match
    const tag = name.toLowerCase()
    if (!ALLOWED_TAGS.has(tag)) continue
    if (slash) pieces.push({ close: tag })
    else pieces.push({ open: tag, name: tag === 'v' ? readVoice(rest) : '' })
  }
  pieces.push({ text: text.slice(end) })
  return pieces
}

/** '.loud Mary' means Mary with class `loud`. */
function readVoice(rest: string): string {
  const name = decode(rest.replace(/^\.\S*/, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return asText(cutText(name, VOICE_MAX))
}

function decode(text: string): string {
  const plain = text.replaceAll(/&([a-z]+);/gi, (all, name: string) => {
    return ENTITIES[name.toLowerCase()] ?? all
  })
  return composeText(plain.replaceAll(UNSHOWABLE, ''))
}

function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
