import { Link } from '@tanstack/react-router'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { VisibilityMark } from '#client/kit/visibility/visibility-mark.tsx'
import type { Playlist } from '#shared/schemas/library.schemas.ts'
import { countVideos } from './count-videos.ts'
import classes from './playlist-facts.module.css'

export function PlaylistFacts({ playlist, isOwn }: { playlist: Playlist; isOwn: boolean }) {
  const { owner, visibility, videoCount, updatedAt } = playlist
  return (
    <>
      {!isOwn && (
        <Link to="/profile/$id" params={{ id: String(owner.id) }} className={classes.owner}>
          {owner.displayName}
        </Link>
      )}
      <VisibilityMark visibility={visibility} />
      <span>{countVideos(videoCount)}</span>
      <span>
        Updated <TimeAgo time={updatedAt} />
      </span>
    </>
  )
}
