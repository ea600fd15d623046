import { AppError } from '#server/platform/errors.ts'
import { cleanCueText } from './cue-text.ts'

type Cue = { startMs: number; endMs: number; settings: string; texts: string[] }
/** Lines that belong together, with the number of the first. */
type Block = { line: number; lines: string[] }

const HEADER = /^WEBVTT(?:[ \t].*)?$/
const COMMENT = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/
const ARROW = '-->'
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})$/
const SETTING =
  /^(?:align:(?:start|center|end|left|right)|(?:line|position|size):\d{1,3}(?:\.\d+)?%)$/
const CUES_MAX = 20_000
const LATEST_MS = 48 * 3600 * 1000
const NO_TIME = 'has no time like “00:01.000 --> 00:04.000”.'

/**
 * Reads WebVTT or SubRip (SRT) and rewrites it as WebVTT that holds nothing but cues: sorted, with plain
 * words. Comments, styles and regions are left out.
 * @throws AppError `unprocessable` naming the line that cannot be read
 */
export function parseCaptions(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const isWebVtt = HEADER.test(lines[0] ?? '')
  const blocks = splitBlocks(isWebVtt ? skipHeader(lines) : { from: 0, lines })
  const cues = isWebVtt ? readWebVtt(blocks) : readSubRip(blocks)
  const said = cues.filter(({ texts }) => texts.length > 0).sort((a, b) => a.startMs - b.startMs)
  if (said.length === 0) throw unreadable('The file has no captions in it.')
  return `WEBVTT\n\n${said.map(writeCue).join('\n')}`
}

/** The first line, and what follows it before an empty one, is about the file. */
function skipHeader(lines: string[]): { from: number; lines: string[] } {
  const end = lines.findIndex((line, index) => index > 0 && (!line.trim() || line.includes(ARROW)))
  return { from: end < 0 ? lines.length : end, lines }
}

function splitBlocks({ from, lines }: { from: number; lines: string[] }): Block[] {
  const blocks: Block[] = []
  let current: Block | undefined
  for (const [index, line] of lines.entries()) {
    if (index < from) continue
    if (line.trim() === '') {
      current = undefined
      continue
    }
    if (!current) {
      current = { line: index + 1, lines: [] }
      blocks.push(current)
      if (blocks.length > CUES_MAX) {
        throw unreadable(`Line ${index + 1} begins one caption too many: at most ${CUES_MAX} fit.`)
      }
    }
    current.lines.push(line)
  }
  return blocks
}

function readWebVtt(blocks: Block[]): Cue[] {
  return blocks.flatMap((block) => {
    const at = findTimes(block)
    if (at >= 0) return [readCue(block, at)]
    if (COMMENT.test(block.lines[0] ?? '')) return []
    throw unreadable(`Line ${block.line} ${NO_TIME}`)
  })
}

/** In SubRip files an empty line may be part of what is said. */
function readSubRip(blocks: Block[]): Cue[] {
  const cues: Cue[] = []
  for (const block of blocks) {
    const at = findTimes(block)
    const last = cues.at(-1)
    if (at >= 0) cues.push(readCue(block, at))
    else if (last && !/^\d+$/.test(block.lines[0]?.trim() ?? '')) {
      last.texts.push(...readTexts(block.lines))
    } else if (!last) {
      throw unreadable(`Line ${block.line} is neither “WEBVTT” nor the beginning of a caption.`)
    } else if (block.lines.length > 1) {
      throw unreadable(`Line ${block.line + 1} ${NO_TIME}`)
    }
  }
  return cues
}

/** Where a block's times are: in its first line, or after a name in its second; -1 when nowhere. */
function findTimes({ lines }: Block): number {
  return lines.slice(0, 2).findIndex((line) => line.includes(ARROW))
}

function readCue(block: Block, at: number): Cue {
  const line = block.line + at
  const [left = '', right = ''] = (block.lines[at] ?? '').split(ARROW)
  const [end = '', ...settings] = right.trim().split(/\s+/)
  const startMs = readTime(left.trim(), line)
  const endMs = readTime(end, line)
  if (endMs <= startMs) {
    throw unreadable(`Line ${line} ends at ${end}, which is not after its beginning.`)
  }
  return {
    startMs,
    endMs,
    settings: settings.filter((setting) => SETTING.test(setting)).join(' '),
    texts: readTexts(block.lines.slice(at + 1)),
  }
}

function readTexts(lines: string[]): string[] {
  const text = cleanCueText(lines.join('\n'))
  return text ? [text] : []
}

function readTime(text: string, line: number): number {
  const [, hours = '0', minutes = '', seconds = '', fraction = ''] = TIME.exec(text) ?? []
  const isTime = minutes !== '' && Number(minutes) < 60 && Number(seconds) < 60
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  const ms = whole * 1000 + Number(fraction.padEnd(3, '0'))
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
