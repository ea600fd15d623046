import { type ComponentProps, type SyntheticEvent, useState } from 'react'
import { isOtherShape } from '#shared/poster.ts'
import classes from './fitted-image.module.css'

type FittedImageProps = Omit<ComponentProps<'img'>, 'alt' | 'className' | 'src'> & {
  src: string
  /** Known before the picture loads. */
  shape?: { width: number | null; height: number | null } | undefined
  /** Shown until the picture has loaded. */
  previewUrl?: string | undefined
}

/**
 * Fills a 16 : 9 frame; other shapes are shown whole before a blurred copy. The frame positions its
 * children and hides overflow.
 */
export function FittedImage({ src, shape, previewUrl, onLoad, ...image }: FittedImageProps) {
  const [isWhole, setWhole] = useState(isOtherShape(shape))
  const load = (event: SyntheticEvent<HTMLImageElement>) => {
    const { naturalWidth: width, naturalHeight: height } = event.currentTarget
    setWhole(isOtherShape({ width, height }))
    onLoad?.(event)
  }
  return (
    <>
      {isWhole && (
        <img
          className={classes.glow}
          src={previewUrl ?? src}
          alt=""
          aria-hidden="true"
          loading="lazy"
          decoding="async"
        />
      )}
      <img
        className={isWhole ? classes.whole : classes.filling}
        // `src` last, or the browser loads a wrong width.
        {...image}
        style={isWhole || !previewUrl ? undefined : { backgroundImage: `url(${previewUrl})` }}
        src={src}
        alt=""
        onLoad={load}
      />
    </>
  )
}
