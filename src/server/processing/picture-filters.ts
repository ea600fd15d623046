import {
  AVCOL_PRI_BT2020,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_RGB,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants'
import { Filter, type Frame } from 'node-av/lib'
import { type Picture, type Size, uprightFilters } from './picture.ts'

/** From this short side on, a picture that does not say so is taken for BT.709; a smaller one for BT.601. */
const highDefinition = 720

/** Pictures a second up to which an interlaced source's fields each become a picture of their own. */
const maxFieldPairRate = 31

export function isHighDynamicRange({ colorTransfer }: Pick<Picture, 'colorTransfer'>): boolean {
  return colorTransfer === AVCOL_TRC_SMPTE2084 || colorTransfer === AVCOL_TRC_ARIB_STD_B67
}

/**
 * Filters that make a decoded frame upright, progressive, square, `size`, 8-bit 4:2:0 in BT.709 and
 * limited range, whatever it was. They shrink first, because all else then has less to do.
 */
export function pictureFilters(
  picture: Picture,
  size: Size,
  frame: Pick<Frame, 'width' | 'height' | 'colorSpace'>,
  options: { frameRate: number } = { frameRate: 0 },
): string[] {
  const isUsual = frame.width === picture.storedWidth && frame.height === picture.storedHeight
  const wide = isWide(picture)
  const scaling = ['flags=bicubic', ...(wide ? [] : matrixOptions(picture, frame))]
  if (!isUsual) scaling.push('force_original_aspect_ratio=decrease')
  return [
    ...(picture.interlaced ? [progressiveFilter(options.frameRate)] : []),
    ...uprightFilters(picture.orientation, size, scaling.join(':')),
    ...(isUsual ? [] : [`pad=${size.width}:${size.height}:-1:-1`]),
    ...(wide ? standardRangeFilters(picture) : []),
    'format=yuv420p',
  ]
}

/** Fields become pictures of their own where that keeps to 60 a second: motion stays smooth. */
export function doublesFrameRate(picture: Picture, frameRate: number): boolean {
  return picture.interlaced && frameRate > 0 && frameRate <= maxFieldPairRate
}

function progressiveFilter(frameRate: number): string {
  const mode = frameRate > 0 && frameRate <= maxFieldPairRate ? 'send_field' : 'send_frame'
  return `bwdif=mode=${mode}:deint=interlaced`
}

/** Whether its colours are of another range or space than pictures of the web have. */
export function isWide(picture: Picture): boolean {
  return (
    isHighDynamicRange(picture) ||
    picture.colorPrimaries === AVCOL_PRI_BT2020 ||
    picture.colorSpace === AVCOL_SPC_BT2020_NCL ||
    picture.colorSpace === AVCOL_SPC_BT2020_CL
  )
}

function matrixOptions(picture: Picture, frame: Pick<Frame, 'colorSpace'>): string[] {
  const result = ['out_range=limited', 'out_color_matrix=bt709']
  if (frame.colorSpace === AVCOL_SPC_RGB || frame.colorSpace !== AVCOL_SPC_UNSPECIFIED)
    return result
  const isHigh = Math.min(picture.width, picture.height) >= highDefinition
  return [...result, `in_color_matrix=${isHigh ? 'bt709' : 'bt601'}`]
}

/** From BT.2020 to BT.709, and from high to standard dynamic range. */
function standardRangeFilters(picture: Picture): string[] {
  if (!isHighDynamicRange(picture)) {
    return ['format=yuv420p10le', 'colorspace=all=bt709:iall=bt2020:range=tv:format=yuv420p']
  }
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
