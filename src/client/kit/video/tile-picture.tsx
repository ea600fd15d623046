import type { StoryboardTile } from '#client/platform/video/storyboard.ts'
import classes from './tile-picture.module.css'

type TilePictureProps = {
  tile: StoryboardTile
  /** Pixels to fit into. */
  width: number
  height: number
  className?: string | undefined
}

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
