import { type ComponentProps, type SyntheticEvent, useState } from 'react'
import classes from './fitted-image.module.css'

type FittedImageProps = Omit<ComponentProps<'img'>, 'alt' | 'className' | 'src'> & {
  src: string
  /** The shape of the video, where it is known before the picture has loaded. */
  shape?: { width: number | null; height: number | null } | undefined
}

const FRAME = 16 / 9
/** The part of a picture that may be cropped away before it is shown whole instead. */
const CROP_MAX = 0.04

/**
 * A picture that fills a 16 : 9 frame. One of another shape is shown whole, in front of its own blurred copy.
 * The frame positions its children and hides what overflows.
 */
export function FittedImage({ src, shape, onLoad, ...image }: FittedImageProps) {
  const [isWhole, setWhole] = useState(isOtherShape(shape?.width, shape?.height))
  const load = (event: SyntheticEvent<HTMLImageElement>) => {
    const { naturalWidth, naturalHeight } = event.currentTarget
    setWhole(isOtherShape(naturalWidth, naturalHeight))
    onLoad?.(event)
  }
  return (
    <>
      {isWhole && (
        <img
          className={classes.glow}
          src={src}
          alt=""
          aria-hidden="true"
          loading="lazy"
          decoding="async"
        />
      )}
      <img
        className={isWhole ? classes.whole : classes.filling}
        // The address comes last, or the browser fetches a width it need not have.
        {...image}
        src={src}
        alt=""
        onLoad={load}
      />
    </>
  )
}

function isOtherShape(width: number | null | undefined, height: number | null | undefined) {
  if (!width || !height) return false
  const shape = width / height
  return 1 - Math.min(shape / FRAME, FRAME / shape) > CROP_MAX
}
