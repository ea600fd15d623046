export type Size = { width: number; height: number }

/** `zoom` 1 just fills the frame; `x` and `y` are the centre, from 0 to 1. */
export type Crop = { zoom: number; x: number; y: number }

export const ZOOM_MAX = 4
export const WHOLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }

/** The visible part of `picture`, in its own pixels. */
export function cropBox(picture: Size, aspect: number, { zoom, x, y }: Crop) {
  const isWider = picture.width / picture.height > aspect
  const width = (isWider ? picture.height * aspect : picture.width) / zoom
  const height = (isWider ? picture.height : picture.width / aspect) / zoom
  return {
    left: x * picture.width - width / 2,
    top: y * picture.height - height / 2,
    width,
    height,
  }
}

/** Limits the crop to the picture. */
export function keepInside(picture: Size, aspect: number, crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, ZOOM_MAX)
  const { width, height } = cropBox(picture, aspect, { ...crop, zoom })
  const marginX = width / picture.width / 2
  const marginY = height / picture.height / 2
  return {
    zoom,
    x: clamp(crop.x, marginX, 1 - marginX),
    y: clamp(crop.y, marginY, 1 - marginY),
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(low, value), high)
}
