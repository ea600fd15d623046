import type { StoryboardTile } from '#client/platform/video/storyboard.ts'
import classes from './tile-picture.module.css'

type TilePictureProps = {
  tile: StoryboardTile
  /** The box that it fits into, in pixels. */
  width: number
  height: number
  className?: string | undefined
}

/** A small picture of a video, cut from the sheet that it is on. */
export function TilePicture({ tile, width, height, className = '' }: TilePictureProps) {
  const scale = Math.min(width / tile.width, height / tile.height)
  const frame = { width: tile.width * scale, height: tile.height * scale }
  return (
    <span className={`${classes.frame} ${className}`} style={frame}>
      <span
        className={classes.picture}
        style={{
          width: tile.width,
          height: tile.height,
          scale,
          backgroundImage: `url(${JSON.stringify(tile.url)})`,
          backgroundPosition: `-${tile.x}px -${tile.y}px`,
        }}
      />
    </span>
  )
}
