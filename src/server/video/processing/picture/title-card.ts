import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AV_PIX_FMT_RGB24, AVCOL_RANGE_JPEG, AVCOL_SPC_RGB } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { requireSuccess } from '../ffmpeg-calls.ts'
import { filterOne } from '../filter-chain.ts'
import type { Size } from '../source/picture.ts'

/** Dark scheme, RGB. */
const colors = { ground: '0b0d12', text: 'e9ecf2', muted: '9aa4b5', volt: 'c8ff3e' }

const fontFile = '@fontsource/chakra-petch/files/chakra-petch-latin-600-normal.woff'

/**
 * The caller frees the picture.
 * @param options.folder for a temporary file
 */
export async function drawTitleCard(
  canvas: Size,
  { title, subtitle, folder }: { title: string; subtitle: string; folder: string },
): Promise<Frame> {
  const script = join(folder, 'title.ass')
  await writeFile(script, writeScript(canvas, { title, subtitle }))
  const ground = fillGround(canvas)
  try {
    const fonts = dirname(fileURLToPath(import.meta.resolve(fontFile)))
    return filterOne(ground, [
      'scale=out_color_matrix=bt709:out_range=limited',
      'format=yuv420p',
      `ass=filename=${escapeOption(script)}:fontsdir=${escapeOption(fonts)}`,
    ])
  } finally {
    ground.free()
    await rm(script, { force: true })
  }
}

function fillGround({ width, height }: Size): Frame {
  const frame = new Frame()
  frame.alloc()
  const color = { colorSpace: AVCOL_SPC_RGB, colorRange: AVCOL_RANGE_JPEG }
  Object.assign(frame, { width, height, format: AV_PIX_FMT_RGB24, ...color })
  requireSuccess(frame.getBuffer(), 'make picture')
  const [plane] = frame.data ?? []
  const [stride = 0] = frame.linesize
  const row = Buffer.alloc(width * 3, colors.ground, 'hex')
  for (let y = 0; y < height; y += 1) plane?.set(row, y * stride)
  return frame
}

/** Advanced SubStation Alpha. */
function writeScript(
  { width, height }: Size,
  { title, subtitle }: { title: string; subtitle: string },
): string {
  const unit = Math.min(width, height) / 100
  const size = (units: number) => Math.round(unit * units)
  const bar = `m 0 0 l ${size(11)} 0 l ${size(11)} ${size(1.1)} l 0 ${size(1.1)}`
  const margin = Math.round(width * 0.085)
  const block = [
    `{\\p1\\1c${colorOf(colors.volt)}}${bar}{\\p0}`,
    `{\\fs${size(4)}} `,
    `{\\fs${size(13)}\\1c${colorOf(colors.text)}}${escapeText(title)}`,
    `{\\fs${size(3)}} `,
    `{\\fs${size(5.5)}\\1c${colorOf(colors.muted)}}${escapeText(subtitle)}`,
  ].join('\\N')
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Card,Chakra Petch SemiBold,${size(13)},&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,4,${margin},${margin},0,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,9:00:00.00,Card,,0,0,0,,${block}
`
}

/** BGR. */
function colorOf(hex: string): string {
  return `&H${hex.slice(4, 6)}${hex.slice(2, 4)}${hex.slice(0, 2)}&`
}

/** A word joiner keeps a backslash from starting a command. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('\\', '\\\u2060')
    .replaceAll(/[{}]/g, (brace) => `\\${brace}`)
}

/** FFmpeg unescapes twice. */
function escapeOption(value: string): string {
  return value.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\',;[\]]/g, '\\$&')
}
