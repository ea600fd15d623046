import { Link } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue } from 'react'
import { CardTitle, coverLink } from '#client/kit/card/card.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Mark } from '#client/kit/mark.tsx'
import { GameName } from '#client/kit/video/game-facts.tsx'
import { usePreview } from '#client/kit/video/moving-picture.tsx'
import { Picture } from '#client/kit/video/picture.tsx'
import { PublishedAt } from '#client/kit/video/published-at.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { RecommendedVideo } from '#shared/schemas/video.schemas.ts'
import { formatDuration, formatViews } from '#shared/text/format.ts'
import classes from './recommended-videos.module.css'

const SKELETONS = [0, 1, 2, 3, 4]

type RecommendedVideosProps = {
  videoId: number
  /** Menu of a video. */
  renderMenu: (video: RecommendedVideo) => ReactNode
}

/** Up to ten videos. */
export function RecommendedVideos({ videoId, renderMenu }: RecommendedVideosProps) {
  const { data, error } = trpc.video.recommended.useQuery({ id: videoId })
  // Deferred, so that the video loads before these pictures.
  const videos = useDeferredValue<typeof data | null>(data, null)
  return (
    <section aria-labelledby="recommended-videos">
      <h2 id="recommended-videos" className={look('below12', 'heading')}>
        Recommended videos
      </h2>
      {!videos && !error && <RecommendedSkeleton />}
      {error && !videos && (
        <p className={look('muted')} role="alert">
          {errorSentence(error)}
        </p>
      )}
      {videos?.length === 0 && <p className={look('muted')}>No recommendations available</p>}
      {videos && videos.length > 0 && (
        <ul className={`${classes.list} ${stack(12)}`}>
          {videos.map((video) => (
            <li key={video.id}>
              <RecommendedCard video={video} menu={renderMenu(video)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RecommendedCard({ video, menu }: { video: RecommendedVideo; menu: ReactNode }) {
  const reason = reasonText(video)
  const preview = usePreview(video.storyboardUrl)
  return (
    <article className={classes.card} data-game={video.category} {...preview.handlers}>
      <Picture
        {...posterOf(video)}
        shape={video}
        sizes="(max-width: 1199px) 240px, 168px"
        preview={preview.picture}
        corner={video.duration > 0 ? formatDuration(video.duration) : undefined}
        none={<Mark size={40} className={classes.noImage} />}
      />
      <div className={classes.words}>
        <CardTitle lines={2} className={classes.title}>
          <Link to="/video/$id" params={{ id: String(video.id) }} className={coverLink}>
            {video.title}
          </Link>
        </CardTitle>
        <p className={look('oneLine', 'note', 'tightLines')}>
          <GameName name={video.category} /> · {video.channel?.displayName ?? 'Anonymous'}
        </p>
        <p className={look('oneLine', 'note', 'tightLines')}>
          {formatViews(video.viewCount)} · <PublishedAt time={video.publishedAt} />
        </p>
        {reason && (
          <p className={`${look('oneLine', 'above4', 'pill', 'fine')} ${classes.reason}`}>
            {reason}
          </p>
        )}
      </div>
      <div className={classes.menu}>{menu}</div>
    </article>
  )
}

function reasonText({ reason }: RecommendedVideo): string | null {
  switch (reason) {
    case 'following':
      return 'You are subscribed'
    case 'watched-next':
      return 'Often watched next'
    case 'channel':
      return 'Same channel'
    case 'tags':
      return 'Similar tags'
    case 'game':
      return 'Same game'
    case null:
      return null
  }
}

export function RecommendedSkeleton() {
  return (
    <div
      className={`${classes.list} ${stack(12)}`}
      role="status"
      aria-label="Loading recommended videos"
    >
      {SKELETONS.map((index) => (
        <div key={index} className={classes.card} aria-hidden="true">
          <div className={`${classes.skeletonPicture} ${look('skeletonGround')}`} />
          <div className={classes.words}>
            <span className={`${classes.skeletonLine} ${look('skeletonGround')}`} />
            <span className={`${classes.skeletonLine} ${look('skeletonGround')}`} data-short />
          </div>
        </div>
      ))}
    </div>
  )
}
