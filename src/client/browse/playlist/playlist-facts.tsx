import { IconLock, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import type { Playlist } from '#shared/schemas/library.schemas.ts'
import { countVideos } from './count-videos.ts'
import classes from './playlist-facts.module.css'

/** Whose list it is, how long, who may see it and when it last changed. */
export function PlaylistFacts({ playlist, isOwn }: { playlist: Playlist; isOwn: boolean }) {
  const { owner, isPublic, videoCount, updatedAt } = playlist
  const Icon = isPublic ? IconWorld : IconLock
  return (
    <>
      {!isOwn && (
        <Link to="/profile/$id" params={{ id: String(owner.id) }} className={classes.owner}>
          {owner.displayName}
        </Link>
      )}
      <span className={classes.fact}>
        <Icon size={14} stroke={1.75} aria-hidden />
        {isPublic ? 'Public' : 'Private'}
      </span>
      <span>{countVideos(videoCount)}</span>
      <span>
        Updated <TimeAgo time={updatedAt} />
      </span>
    </>
  )
}
