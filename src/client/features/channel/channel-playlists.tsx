import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Playlist } from '#shared/library.schemas.ts'
import { BoneLine } from '../../components/bone.tsx'
import { LoadError } from '../../components/load-error.tsx'
import { Picture, PictureSkeleton } from '../../components/picture.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { trpc } from '../../trpc.ts'
import classes from './channel-playlists.module.css'

const SKELETONS = [0, 1, 2, 3]

type ChannelPlaylistsProps = {
  channelId: number
  /** What stands there when the channel has none. */
  none: ReactNode
}

/** The playlists that a channel shows to everybody. */
export function ChannelPlaylists({ channelId, none }: ChannelPlaylistsProps) {
  const { data, isPending, error, refetch } = trpc.playlist.listByUser.useQuery({ id: channelId })
  if (isPending) return <PlaylistsSkeleton />
  if (!data) return <LoadError text={errorMessage(error)} onRetry={() => void refetch()} />
  if (data.length === 0) return none
  return (
    <>
      <h2 className="visually-hidden">Playlists</h2>
      <ul className={classes.grid}>
        {data.map((playlist) => (
          <li key={playlist.id}>
            <PlaylistCard playlist={playlist} />
          </li>
        ))}
      </ul>
    </>
  )
}

function PlaylistCard({ playlist }: { playlist: Playlist }) {
  const { id, title, videoCount, thumbnailUrl, updatedAt } = playlist
  return (
    <article className={classes.card}>
      <div className={classes.picture}>
        <Picture
          src={thumbnailUrl}
          corner={videoCount === 1 ? '1 video' : `${videoCount} videos`}
        />
      </div>
      <h3 className={classes.title}>
        <Link to={`/playlist/${id}` as string} className={classes.link}>
          {title}
        </Link>
      </h3>
      <p className={classes.facts}>
        Updated <TimeAgo time={updatedAt} />
      </p>
    </article>
  )
}

function PlaylistsSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading playlists">
      {SKELETONS.map((index) => (
        <div key={index} className={classes.card} aria-hidden="true">
          <div className={classes.picture}>
            <PictureSkeleton />
          </div>
          <div className={classes.title}>
            <BoneLine width="70%" />
          </div>
          <div className={classes.facts}>
            <BoneLine width="45%" />
          </div>
        </div>
      ))}
    </div>
  )
}
