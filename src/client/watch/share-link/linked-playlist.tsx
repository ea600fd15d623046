import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { PageSpinner } from '#client/kit/spinner.tsx'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { errorStatus } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { OpenedShareLink } from '#shared/schemas/share-link.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import type { VideoPlayer } from '../player/video-player.tsx'
import classes from './linked-video.module.css'
import { LinkedVideo } from './linked-video.tsx'

type Opened = Extract<OpenedShareLink, { kind: 'playlist' }>

type LinkedPlaylistProps = {
  Player: typeof VideoPlayer
  opened: Opened
  token: string
  onEnd: () => void
}

/** Shows one video, and the list to choose from. */
export function LinkedPlaylist({ Player, opened, token, onEnd }: LinkedPlaylistProps) {
  const { title, description, ownerName, videos, grant } = opened
  const [chosenId, setChosenId] = useState(videos[0]?.id)
  return (
    <>
      {chosenId !== undefined && (
        <ChosenVideo key={chosenId} videoId={chosenId} {...{ Player, token, grant, onEnd }} />
      )}
      <section className={column(12, 'shrink')} aria-label="Playlist">
        <h2 className={look('breakWords', 'heading')}>{title}</h2>
        <p className={`${classes.facts} ${wrapped([0, 8], 'baseline')}`}>
          {videos.length === 1 ? '1 video' : `${videos.length} videos`}, by {ownerName}
        </p>
        {description && <p className={classes.text}>{description}</p>}
        <ol className={column(4)}>
          {videos.map((video) => (
            <li key={video.id}>
              <UnstyledButton
                className={classes.video}
                aria-current={video.id === chosenId || undefined}
                onClick={() => setChosenId(video.id)}
              >
                <span className={`${classes.card} ${look('fullWidth', 'rounded', 'widescreen')}`}>
                  <PlaylistPicture video={video} />
                </span>
                <span>
                  <b>{video.title}</b>
                  <span className={`${classes.facts} ${wrapped([0, 8], 'baseline')}`}>
                    {video.ownerName ?? 'Anonymous'} · {formatDuration(video.duration)}
                  </span>
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

function PlaylistPicture({ video }: { video: Opened['videos'][number] }) {
  const src = posterOf(video).src
  return src && <FittedImage src={src} loading="lazy" />
}

type ChosenVideoProps = Pick<LinkedPlaylistProps, 'Player' | 'token' | 'onEnd'> & {
  videoId: number
  grant: string | null
}

function ChosenVideo({ Player, videoId, token, grant, onEnd }: ChosenVideoProps) {
  const entry = trpc.shareLink.video.useQuery({ token, grant, videoId })
  if (entry.data) return <LinkedVideo entry={entry.data} {...{ Player, token, grant, onEnd }} />
  if (entry.isPending) return <PageSpinner />
  // A removed entry is treated like an ended link.
  const isGone = errorStatus(entry.error) === 404
  return (
    <LoadError
      error={entry.error}
      {...(isGone && { text: 'This video is not in the list any more.' })}
      onRetry={() => void entry.refetch()}
    />
  )
}
