import type { ReactNode } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { MaxColumns } from '../video/list/video-grid.tsx'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import { HomeShelf } from './home-shelf.tsx'
import classes from './shelf-of.module.css'

export const ShelfLine = lazyPart(
  () => import('./shelf-line.tsx'),
  <div className={classes.line} />,
)

type ShelfOfProps = {
  title: ReactNode
  videos: Video[]
  action?: ReactNode
  maxColumns?: MaxColumns | undefined
}

/** Shows a shelf, a single line if there is only one video, or nothing without videos. */
export function ShelfOf({ title, videos, action, maxColumns }: ShelfOfProps) {
  const [first, second] = videos
  if (!first) return null
  if (!second) return <ShelfLine {...{ title, action }} item={{ video: first }} />
  return (
    <HomeShelf {...{ title, action }}>
      <VideoShelf videos={videos} heading="h3" maxColumns={maxColumns} />
    </HomeShelf>
  )
}
