import {
  AVCOL_PRI_BT470BG,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE170M,
  AVCOL_PRI_SMPTE240M,
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  type AVColorPrimaries,
} from 'node-av/constants'
import { Filter, type Frame } from 'node-av/lib'
import { type Picture, type Size, uprightFilters } from '../source/picture.ts'

/** Short side from which an undeclared matrix is BT.709, else BT.601. */
const highDefinition = 720

/** Up to here fields become pictures. */
const maxFieldPairRate = 31

/** zscale's names. */
const otherPrimaries = new Map<AVColorPrimaries, string>([
  [AVCOL_PRI_BT470BG, 'bt470bg'],
  [AVCOL_PRI_SMPTE170M, 'smpte170m'],
  [AVCOL_PRI_SMPTE240M, 'smpte240m'],
  [AVCOL_PRI_SMPTE431, 'smpte431'],
  [AVCOL_PRI_SMPTE432, 'smpte432'],
  [AVCOL_PRI_BT2020, 'bt2020'],
])

const widePrimaries = new Set<AVColorPrimaries>([
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_PRI_BT2020,
])

export function isHighDynamicRange({ colorTransfer }: Pick<Picture, 'colorTransfer'>): boolean {
  return colorTransfer === AVCOL_TRC_SMPTE2084 || colorTransfer === AVCOL_TRC_ARIB_STD_B67
}

/** To upright, progressive, square, 8-bit 4:2:0 BT.709 limited. Scaling first is cheapest. */
export function pictureFilters(
  picture: Picture,
  size: Size,
  frame: Pick<Frame, 'width' | 'height' | 'colorSpace' | 'colorRange'>,
  options: { frameRate: number; keepsColors?: boolean } = { frameRate: 0 },
): string[] {
  const isUsual = frame.width === picture.storedWidth && frame.height === picture.storedHeight
  const isHigh = isHighDynamicRange(picture)
  const { keepsColors = false } = options
  const matrix = keepsColors ? sameRange(frame) : matrixOptions(picture, frame)
  const scaling = ['flags=bicubic', ...(isHigh ? [] : matrix)]
  if (!isUsual) scaling.push('force_original_aspect_ratio=decrease')
  return [
    ...(picture.interlaced ? [progressiveFilter(picture, options.frameRate)] : []),
    ...uprightFilters(picture.orientation, size, scaling.join(':')),
    ...(isUsual ? [] : [`pad=${size.width}:${size.height}:-1:-1`]),
    ...(isHigh ? standardRangeFilters(picture) : keepsColors ? [] : primariesFilters(picture)),
    'format=yuv420p',
  ]
}

export function doublesFrameRate(picture: Picture, frameRate: number): boolean {
  return picture.interlaced && frameRate > 0 && frameRate <= maxFieldPairRate
}

function progressiveFilter(picture: Picture, frameRate: number): string {
  const mode = doublesFrameRate(picture, frameRate) ? 'send_field' : 'send_frame'
  return `bwdif=mode=${mode}:deint=interlaced`
}

export function hasWebColors(picture: Picture): boolean {
  return !isHighDynamicRange(picture) && !otherPrimaries.has(primariesOf(picture))
}

export function hasWideColors(picture: Picture): boolean {
  return widePrimaries.has(primariesOf(picture))
}

function primariesOf({ colorPrimaries, colorSpace }: Picture): AVColorPrimaries {
  const isWide = colorSpace === AVCOL_SPC_BT2020_NCL || colorSpace === AVCOL_SPC_BT2020_CL
  return isWide ? AVCOL_PRI_BT2020 : colorPrimaries
}

function sameRange({ colorRange }: Pick<Frame, 'colorRange'>): string[] {
  const range = colorRange === AVCOL_RANGE_JPEG ? 'full' : 'limited'
  return [`in_range=${range}`, `out_range=${range}`]
}

function matrixOptions(picture: Picture, frame: Pick<Frame, 'colorSpace'>): string[] {
  const result = ['out_range=limited', 'out_color_matrix=bt709']
  if (frame.colorSpace !== AVCOL_SPC_UNSPECIFIED) return result
  const isHigh = Math.min(picture.width, picture.height) >= highDefinition
  return [...result, `in_color_matrix=${isHigh ? 'bt709' : 'bt601'}`]
}

/** Expects BT.709 matrix, limited range. Browsers show standard-range curves as sRGB. */
function primariesFilters(picture: Picture): string[] {
  const primaries = otherPrimaries.get(primariesOf(picture))
  if (!primaries) return []
  const transfer = 'tin=iec61966-2-1:t=iec61966-2-1:min=709:m=709:rin=limited:r=limited'
  return ['format=yuv420p|yuv420p10le', `zscale=pin=${primaries}:p=709:${transfer}`]
}

function standardRangeFilters(picture: Picture): string[] {
  const transfer = picture.colorTransfer === AVCOL_TRC_SMPTE2084 ? 'smpte2084' : 'arib-std-b67'
  const declared = [
    'format=yuv420p10le',
    `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`,
  ]
  if (Filter.getByName('tonemapx')) {
    return [...declared, 'tonemapx=tonemap=bt2390:t=bt709:m=bt709:p=bt709:r=tv:format=yuv420p']
  }
  return [
    ...declared,
    'zscale=t=linear:npl=203',
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ]
}
