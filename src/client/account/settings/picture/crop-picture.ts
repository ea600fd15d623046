import { encodeCanvas } from '#client/platform/video/grab-frame.ts'
import { type Crop, cropBox, type Size } from './crop-geometry.ts'

const QUALITIES = [0.92, 0.8, 0.6]

/**
 * Scales to the size to be sent.
 * @throws when the browser cannot
 */
export async function cropPicture(
  image: HTMLImageElement,
  options: { crop: Crop; output: Size; maxBytes: number },
): Promise<Blob> {
  const { crop, output, maxBytes } = options
  const canvas = document.createElement('canvas')
  canvas.width = output.width
  canvas.height = output.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot crop pictures.')
  // JPEG has no transparency; the page's colour shows through.
  context.fillStyle = getComputedStyle(document.body).backgroundColor
  context.fillRect(0, 0, output.width, output.height)
  context.imageSmoothingQuality = 'high'
  const picture = { width: image.naturalWidth, height: image.naturalHeight }
  const { left, top, width, height } = cropBox(picture, output.width / output.height, crop)
  context.drawImage(image, left, top, width, height, 0, 0, output.width, output.height)
  for (const quality of QUALITIES) {
    const blob = await encodeCanvas(canvas, 'image/jpeg', quality)
    if (blob.size <= maxBytes) return blob
  }
  throw new Error('This picture is too large.')
}
