import { Link } from '@tanstack/react-router'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
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
        <li key={playlist.id} className={classes.card}>
          <div className={classes.stack}>
            <Picture src={playlist.thumbnailUrl} corner={countVideos(playlist.videoCount)} />
          </div>
          <h3 className={classes.title}>
            <Link to="/playlist/$id" params={{ id: String(playlist.id) }} className={classes.link}>
              {playlist.title}
            </Link>
          </h3>
          <p className={classes.facts}>
            <VisibilityMark visibility={playlist.visibility} /> ·{' '}
            <TimeAgo time={playlist.updatedAt} />
          </p>
        </li>
      ))}
    </ul>
  )
}

export function PlaylistGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading playlists">
      {SKELETONS.map((index) => (
        <div key={index} className={classes.card} aria-hidden="true">
          <div className={classes.stack}>
            <PictureSkeleton />
          </div>
          <div className={classes.title}>
            <TextSkeleton width="70%" />
          </div>
          <div className={classes.facts}>
            <TextSkeleton width="45%" />
          </div>
        </div>
      ))}
    </div>
  )
}
