import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { Mark } from '../mark.tsx'
import { FittedImage } from './fitted-image.tsx'
import classes from './picture.module.css'

type PictureProps = {
  src: string | null
  /** Other widths; `sizes` is the layout width. */
  srcSet?: string | undefined
  sizes?: string | undefined
  /** Shown until the picture has loaded. */
  previewUrl?: string | undefined
  /** If known. */
  shape?: { width: number | null; height: number | null } | undefined
  /** Loads first. */
  isAboveFold?: boolean
  /** Above the picture, below the overlays. */
  preview?: ReactNode
  /** Top left. */
  badges?: ReactNode
  /** Bottom right. */
  corner?: string | undefined
  /** In place of a picture; otherwise it says that there is none. */
  none?: ReactNode
  /** Overlay. */
  children?: ReactNode
}

/** 16 : 9; a surrounding `data-game` colours its edge. */
export function Picture(props: PictureProps) {
  const {
    src,
    srcSet,
    sizes,
    previewUrl,
    shape,
    isAboveFold = false,
    preview,
    badges,
    corner,
    none,
    children,
  } = props
  return (
    <div
      className={
        src
          ? `${classes.picture} ${look('centred', 'widescreen', 'skeletonGround')}`
          : `${classes.picture} ${look('centred', 'widescreen', 'skeletonGround')} ${classes.imageless}`
      }
    >
      {src ? (
        <FittedImage
          src={src}
          shape={shape}
          previewUrl={previewUrl}
          sizes={sizes}
          srcSet={srcSet}
          width={640}
          height={360}
          loading={isAboveFold ? 'eager' : 'lazy'}
          fetchPriority={isAboveFold ? 'high' : undefined}
          // The page showed it before the app did: no gap.
          decoding={isAboveFold ? 'sync' : 'async'}
        />
      ) : (
        (none ?? <NoPicture />)
      )}
      {preview}
      {badges && <div className={`${wrapped(4)} ${classes.badges}`}>{badges}</div>}
      {corner && (
        <span
          className={`${classes.corner} ${look('pill', 'scrim', 'size12', 'display', 'tightLines')}`}
        >
          {corner}
        </span>
      )}
      {children}
    </div>
  )
}

function NoPicture() {
  return (
    <span className={`${column(8, 'centre', 'fine')} ${classes.none}`}>
      <Mark size={56} className={classes.mark} />
      No thumbnail
    </span>
  )
}

export function PictureSkeleton() {
  return (
    <Skeleton className={`${classes.picture} ${look('centred', 'widescreen', 'skeletonGround')}`} />
  )
}
