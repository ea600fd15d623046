import { Link } from '@tanstack/react-router'
import { Card, CardSkeleton, coverLink } from '#client/kit/card/card.tsx'
import { row } from '#client/kit/layout/layout.ts'
import { Picture, PictureSkeleton } from '#client/kit/video/picture.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { VisibilityMark } from '#client/kit/visibility/visibility-mark.tsx'
import type { Playlist } from '#shared/schemas/library.schemas.ts'
import { countVideos } from './count-videos.ts'
import classes from './playlist-grid.module.css'

const SKELETONS = [0, 1, 2, 3]

export function PlaylistGrid({ playlists }: { playlists: Playlist[] }) {
  return (
    <ul className={classes.grid}>
      {playlists.map((playlist) => (
        <Card
          key={playlist.id}
          as="li"
          picture={
            <div className={classes.stack}>
              <Picture src={playlist.thumbnailUrl} corner={countVideos(playlist.videoCount)} />
            </div>
          }
          title={
            <Link to="/playlist/$id" params={{ id: String(playlist.id) }} className={coverLink}>
              {playlist.title}
            </Link>
          }
          facts={[
            <span key="visibility" className={row(4)}>
              <VisibilityMark visibility={playlist.visibility} /> ·{' '}
              <TimeAgo time={playlist.updatedAt} />
            </span>,
          ]}
        />
      ))}
    </ul>
  )
}

export function PlaylistGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading playlists">
      {SKELETONS.map((index) => (
        <CardSkeleton
          key={index}
          picture={
            <div className={classes.stack}>
              <PictureSkeleton />
            </div>
          }
          title={['70%']}
          facts={['45%']}
        />
      ))}
    </div>
  )
}
