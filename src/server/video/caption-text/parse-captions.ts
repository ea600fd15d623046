import { AppError } from '#server/platform/errors.ts'
import { lowerFirst } from '#shared/text/first-letter.ts'
import { cleanCueText } from './cue-text.ts'

type Cue = { startMs: number; endMs: number; settings: string; texts: string[] }
/** `line` is the number of the first line. */
type Block = { line: number; lines: string[] }
type Reading = { cues: Cue[]; problems: string[] }
export type ParsedCaptions = { text: string; notice?: string }

const HEADER = /^WEBVTT(?:[ \t].*)?$/
const COMMENT = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/
const NUMBER = /^\s*\d+\s*$/
const ARROW = '-->'
const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[.,]\d+)?`
const TIMES = new RegExp(String.raw`^\s*${CLOCK}\s*-->\s*${CLOCK}(?:\s|$)`)
// Some SubRip files have no fraction.
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/
const PERCENT = String.raw`(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%`
const SETTING = new RegExp(
  `^(?:${[
    'align:(?:start|center|end|left|right)',
    'vertical:(?:rl|lr)',
    `line:(?:-?\\d{1,3}|${PERCENT})(?:,(?:start|center|end))?`,
    `position:${PERCENT}(?:,(?:line-left|center|line-right))?`,
    `size:${PERCENT}`,
  ].join('|')})$`,
)
const CUES_MAX = 20_000
const LATEST_MS = 48 * 3600 * 1000
const NO_TIME = 'has no time like “00:01.000 --> 00:04.000”.'

/**
 * Reads WebVTT or SubRip; returns sorted WebVTT of cues only. `notice` names omitted cues.
 * @throws `unprocessable` naming the line
 */
export function parseCaptions(text: string): ParsedCaptions {
  // CR CR LF is a doubly converted line end.
  const lines = text.replace(/^\uFEFF/, '').split(/\r{0,2}\n|\r/)
  const isWebVtt = HEADER.test(lines[0] ?? '')
  const blocks = isWebVtt
    ? splitBlocks(skipHeader(lines), endsWebVttBlock)
    : splitBlocks({ from: 0, lines }, (all, index) => isBlank(all[index]))
  const { cues, problems } = isWebVtt ? readWebVtt(blocks) : readSubRip(blocks)
  const said = cues.filter(({ texts }) => texts.length > 0).sort((a, b) => a.startMs - b.startMs)
  if (said.length === 0) throw unreadable(problems[0] ?? 'The file has no captions in it.')
  return {
    text: `WEBVTT\n\n${said.map(writeCue).join('\n')}`,
    ...(problems.length > 0 && { notice: sayLeftOut(problems) }),
  }
}

function sayLeftOut([first = '', ...others]: string[]): string {
  if (others.length === 0) return `One caption was left out: ${lowerFirst(first)}`
  return `${others.length + 1} captions were left out. The first: ${lowerFirst(first)}`
}

function skipHeader(lines: string[]): { from: number; lines: string[] } {
  const end = lines.findIndex((line, index) => index > 0 && (!line.trim() || line.includes(ARROW)))
  return { from: end < 0 ? lines.length : end, lines }
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === ''
}

/** In WebVTT an empty line ends a cue; hand-edited files may have a blank one instead. */
function endsWebVttBlock(lines: string[], index: number): boolean {
  if (lines[index] === '') return true
  const beginsCue = (at: number) => TIMES.test(lines[at] ?? '')
  return isBlank(lines[index]) && (beginsCue(index + 1) || beginsCue(index + 2))
}

function splitBlocks(
  { from, lines }: { from: number; lines: string[] },
  isEnd: (lines: string[], index: number) => boolean,
): Block[] {
  const blocks: Block[] = []
  let current: Block | undefined
  const begin = (block: Block) => {
    current = block
    blocks.push(block)
    if (blocks.length <= CUES_MAX) return
    throw unreadable(`Line ${block.line} begins one caption too many: at most ${CUES_MAX} fit.`)
  }
  for (const [index, line] of lines.entries()) {
    if (index < from) continue
    if (isEnd(lines, index)) current = undefined
    else if (!current) {
      if (!isBlank(line)) begin({ line: index + 1, lines: [line] })
    } else if (TIMES.test(line) && findTimes(current) >= 0) {
      // Without an empty line between, it is the second cue's.
      const number = NUMBER.test(current.lines.at(-1) ?? '') ? current.lines.splice(-1) : []
      begin({ line: index + 1 - number.length, lines: [...number, line] })
    } else current.lines.push(line)
  }
  return blocks
}

function readWebVtt(blocks: Block[]): Reading {
  const reading: Reading = { cues: [], problems: [] }
  for (const block of blocks) {
    const at = findTimes(block)
    if (at >= 0) addCue(reading, { block, at })
    else if (!COMMENT.test(block.lines[0] ?? '')) {
      throw unreadable(`Line ${block.line} ${NO_TIME}`)
    }
  }
  return reading
}

/** Cues may contain empty lines. */
function readSubRip(blocks: Block[]): Reading {
  const reading: Reading = { cues: [], problems: [] }
  let last: Cue | undefined
  let hasBegun = false
  for (const [index, block] of blocks.entries()) {
    const at = findTimes(block)
    const isNumber = NUMBER.test(block.lines[0] ?? '')
    if (at >= 0) {
      last = addCue(reading, { block, at })
      hasBegun = true
    } else if (isNumber && block.lines.length === 1) {
      const next = blocks[index + 1]
      if (next && findTimes(next) !== 0) last?.texts.push(...readTexts(block.lines))
    } else if (!hasBegun) {
      throw unreadable(`Line ${block.line} is neither “WEBVTT” nor the beginning of a caption.`)
    } else if (isNumber) {
      throw unreadable(`Line ${block.line + 1} ${NO_TIME}`)
    } else {
      last?.texts.push(...readTexts(block.lines))
    }
  }
  return reading
}

/** First line, or second after a name; -1 without. */
function findTimes({ lines }: Block): number {
  return lines.slice(0, 2).findIndex((line) => line.includes(ARROW))
}

function addCue(reading: Reading, { block, at }: { block: Block; at: number }): Cue | undefined {
  const line = block.line + at
  const [left = '', right = ''] = (block.lines[at] ?? '').split(ARROW)
  const [end = '', ...settings] = right.trim().split(/\s+/)
  const startMs = readTime(left.trim(), line)
  const endMs = readTime(end, line)
  if (endMs <= startMs) {
    reading.problems.push(`Line ${line} ends at ${end}, which is not after its beginning.`)
    return
  }
  const cue = {
    startMs,
    endMs,
    settings: settings.filter((setting) => SETTING.test(setting)).join(' '),
    texts: readTexts(block.lines.slice(at + 1)),
  }
  reading.cues.push(cue)
  return cue
}

function readTexts(lines: string[]): string[] {
  const text = cleanCueText(lines.join('\n'))
  return text ? [text] : []
}

function readTime(text: string, line: number): number {
  const [, hours = '0', minutes = '', seconds = '', fraction = ''] = TIME.exec(text) ?? []
  const isTime = minutes !== '' && Number(minutes) < 60 && Number(seconds) < 60
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  const ms = whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  if (isTime && ms <= LATEST_MS) return ms
  if (isTime) throw unreadable(`Line ${line} has a time after 48 hours.`)
  const shown = text.slice(0, 40)
  throw unreadable(
    shown ? `Line ${line} has “${shown}” where a time should be.` : `Line ${line} lacks a time.`,
  )
}

function writeCue({ startMs, endMs, settings, texts }: Cue): string {
  const times = `${writeTime(startMs)} --> ${writeTime(endMs)}`
  return `${settings ? `${times} ${settings}` : times}\n${texts.join('\n')}\n`
}

function writeTime(ms: number): string {
  const two = (value: number) => `${Math.floor(value)}`.padStart(2, '0')
  const rest = `${ms % 1000}`.padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${rest}`
}

function unreadable(sentence: string): AppError {
  return new AppError('unprocessable', sentence)
}
