import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants'
import type { Stream } from 'node-av/lib'

type Rotation = 0 | 90 | 180 | 270

export type Orientation = {
  /** Clockwise. */
  rotation: Rotation
  /** Not undone by browsers. */
  mirrored: boolean
  /** Not applied by decoding. */
  filters: string[]
}

export function readOrientation(stream: Stream): Orientation {
  return parseDisplayMatrix(stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX))
}

/** Nine 32-bit numbers as in `tkhd`, machine byte order; filters as in ffmpeg's autorotation. */
export function parseDisplayMatrix(matrix: Buffer | null): Orientation {
  if (!matrix || matrix.length < 36) return { rotation: 0, mirrored: false, filters: [] }
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => matrix.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  const quarters = Math.round(Math.atan2(b, a) / (Math.PI / 2))
  const rotation = ((((quarters % 4) + 4) % 4) * 90) as Rotation
  const mirrored = a * d - b * c < 0
  return { rotation, mirrored, filters: uprightFilters(rotation, mirrored) }
}

function uprightFilters(rotation: Rotation, mirrored: boolean): string[] {
  switch (rotation) {
    case 0:
      return mirrored ? ['vflip'] : []
    case 90:
      return [mirrored ? 'transpose=cclock_flip' : 'transpose=clock']
    case 180:
      return mirrored ? ['hflip'] : ['hflip', 'vflip']
    case 270:
      return [mirrored ? 'transpose=clock_flip' : 'transpose=cclock']
  }
}
