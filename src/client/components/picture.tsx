import type { ReactNode } from 'react'
import { Bone } from './bone.tsx'
import { Mark } from './mark.tsx'
import classes from './picture.module.css'

type PictureProps = {
  src: string | null
  /** True for those that are in view when the page opens: they come first. */
  isAboveFold?: boolean
  /** Top left. */
  badges?: ReactNode
  /** Bottom right: how long, how many. */
  corner?: string | undefined
  /** Laid over the picture. */
  children?: ReactNode
}

/** The 16 : 9 picture of a card. A `data-game` around it colours its edge. */
export function Picture({ src, isAboveFold = false, badges, corner, children }: PictureProps) {
  return (
    <div className={classes.picture}>
      {src ? (
        <img
          className={classes.image}
          src={src}
          alt=""
          width={640}
          height={360}
          loading={isAboveFold ? 'eager' : 'lazy'}
          decoding="async"
        />
      ) : (
        <span className={classes.none}>
          <Mark size={56} className={classes.mark} />
          No thumbnail
        </span>
      )}
      {badges && <div className={classes.badges}>{badges}</div>}
      {corner && <span className={classes.corner}>{corner}</span>}
      {children}
    </div>
  )
}

export function PictureSkeleton() {
  return <Bone className={classes.picture} />
}
