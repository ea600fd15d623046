import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { coverLink } from '#client/kit/card/card.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { GameFacts } from '#client/kit/video/game-facts.tsx'
import { PublishedAt } from '#client/kit/video/published-at.tsx'
import { isSparing } from '#client/platform/data-saving.ts'
import { whenIdle, whenLoaded } from '#client/platform/when-idle.ts'
import { HERO_SIZES, isOtherShape, posterOf } from '#shared/poster.ts'
import type { Tonight as Shown } from '#shared/schemas/home.schemas.ts'
import { formatViews } from '#shared/text/format.ts'
import { CardMenu } from '../video/card/card-menu.tsx'
import { WatchingMark } from '../video/card/watching-mark.tsx'
import classes from './tonight.module.css'

const TonightVideo = lazyPart(
  async () => {
    await whenLoaded()
    await whenIdle()
    return import('./tonight-video.tsx')
  },
  null,
  null,
)
const HiddenCard = lazyPart(() => import('../video/card/hidden-card.tsx'), <TonightSkeleton />)

type TonightProps = {
  tonight: Shown
  /** Shows the poster only, while another video plays. */
  isStill: boolean
  /** The children are shown below the text of the card. */
  children?: ReactNode
}

/**
 * Shows the clip of the week, the video of the week or the newest video in a large card. Its video
 * plays muted once the page has loaded and is idle.
 */
export function Tonight({ tonight, isStill, children }: TonightProps) {
  const id = useId()
  const { kind, file } = tonight
  const { video } = kind === 'clip' ? tonight.clip : tonight
  const { title, by } = kind === 'clip' ? { ...tonight.clip, by: tonight.clip.maker } : toBy(video)
  const views = kind === 'clip' ? tonight.clip.viewCount : video.viewCount
  const time = kind === 'clip' ? tonight.clip.createdAt : video.publishedAt
  const poster = posterOf(video)
  const clipPicture = kind === 'clip' ? tonight.clip.pictureUrl : null
  // Known before the code that plays it is loaded; that code asks again on a connection that proved slow.
  const [isSaving] = useState(isSparing)
  const [isHidden, setHidden] = useState(false)
  if (isHidden) {
    return (
      <section className={classes.tonight} aria-label="Tonight">
        <HiddenCard video={video} onUndo={() => setHidden(false)} />
      </section>
    )
  }
  return (
    <section className={classes.tonight} aria-labelledby={id} data-game={video.category}>
      <article className={classes.card}>
        <div className={`${classes.picture} ${look('widescreen', 'skeletonGround')}`}>
          {(clipPicture ?? poster.src) && (
            <FittedImage
              {...(clipPicture ? { previewUrl: poster.previewUrl } : poster)}
              src={clipPicture ?? poster.src ?? ''}
              sizes={clipPicture ? undefined : HERO_SIZES}
              shape={video}
              width={960}
              height={540}
              loading="eager"
              fetchPriority="high"
              decoding="sync"
            />
          )}
          {file && !isStill && !isSaving && (
            <TonightVideo file={file} isWhole={isOtherShape(video)} />
          )}
          <WatchingMark videoId={video.id} />
        </div>
        <div className={classes.words}>
          <h2 id={id} className={`${row(8, 'wrap')} ${classes.over}`}>
            Tonight
            <span className={classes.why}>{whyOf(tonight)}</span>
          </h2>
          <h3 className={`${look('twoLines')} ${classes.title}`}>
            {kind === 'clip' ? (
              <Link to="/clip/$id" params={{ id: String(tonight.clip.id) }} className={coverLink}>
                {title}
              </Link>
            ) : (
              <Link to="/video/$id" params={{ id: String(video.id) }} className={coverLink}>
                {title}
              </Link>
            )}
          </h3>
          <p className={look('note')}>
            <GameFacts category={video.category}>
              {formatViews(views)} · <PublishedAt time={time} />
            </GameFacts>
          </p>
          <div className={row(8, 'between')}>
            {by ? (
              <Link
                to="/profile/$id"
                params={{ id: String(by.id) }}
                className={`${row(8, 'touch', 'shrink', 'textColor')} ${classes.above}`}
              >
                <UserAvatar name={by.displayName} src={by.avatarUrl} size={32} />
                <span className={look('oneLine')}>{by.displayName}</span>
              </Link>
            ) : (
              <span className={row(8, 'touch')}>
                <UserAvatar name="Anonymous" isNobody src={null} size={32} />
                Anonymous
              </span>
            )}
            {kind === 'video' && (
              <CardMenu video={video} className={classes.above} onHide={setHidden} />
            )}
          </div>
          {children}
        </div>
      </article>
    </section>
  )
}

const toBy = ({ title, channel }: { title: string; channel: ByOf | null }) => ({
  title,
  by: channel,
})
type ByOf = { id: number; displayName: string; avatarUrl: string | null }

function whyOf(tonight: Shown): string {
  if (tonight.kind === 'clip') return 'Clip of the week'
  return tonight.isNewest ? 'Newest' : 'Video of the week'
}

/** Reserves the space of `Tonight`. */
export function TonightSkeleton() {
  return (
    <div className={classes.tonight} aria-hidden="true">
      <div className={classes.card}>
        <div className={`${classes.picture} ${look('widescreen', 'skeletonGround')}`} />
        <div className={classes.words} />
      </div>
    </div>
  )
}
