import { Button, UnstyledButton } from '@mantine/core'
import { IconCut, IconPlayerPlayFilled, IconVolumeOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { FeedActions } from './feed-actions.tsx'
import classes from './feed-screen.module.css'
import { FeedVideo } from './feed-video.tsx'

type FeedScreenProps = {
  clip: Clip
  isCurrent: boolean
  /** Intended, even if the browser refuses. */
  isPlaying: boolean
  isMuted: boolean
  isSignedIn: boolean
  /** Has a video element: current and upcoming. */
  isLoaded: boolean
  hasPicture: boolean
  onPress: () => void
  onRefused: (what: 'sound' | 'play') => void
}

export function FeedScreen({ clip, isCurrent, isPlaying, isMuted, ...props }: FeedScreenProps) {
  const { isSignedIn, isLoaded, hasPicture, onPress, onRefused } = props
  const { id, title, maker, video } = clip
  const titleId = useId()
  const [isBroken, setBroken] = useState(false)
  const [tries, setTries] = useState(0)
  const name = maker?.displayName ?? 'Anonymous'
  const picture = hasPicture ? (clip.pictureUrl ?? posterOf(video).src) : null
  const isSilent = isPlaying && isMuted
  return (
    <article className={classes.screen} aria-labelledby={titleId} data-game={video.category}>
      <div className={classes.frame}>
        {picture && (
          <>
            <img className={classes.glow} src={picture} alt="" aria-hidden="true" />
            <img className={classes.picture} src={picture} alt="" />
          </>
        )}
        {isLoaded && !isBroken && (
          <FeedVideo
            key={tries}
            {...{ clip, isCurrent, isPlaying, isMuted, onRefused }}
            onBroken={() => setBroken(true)}
          />
        )}
        {isBroken ? (
          <div
            className={`${column(12, 'centre', 'relative', 'card', 'scrim')} ${classes.broken}`}
            role="alert"
          >
            <p>This clip could not be played.</p>
            <Button
              variant="default"
              onClick={() => {
                setBroken(false)
                setTries(tries + 1)
              }}
            >
              Try again
            </Button>
          </div>
        ) : (
          <UnstyledButton
            className={classes.press}
            aria-label={isSilent ? 'Turn the sound on' : isPlaying ? 'Pause' : `Play ${title}`}
            onClick={onPress}
          >
            {!isPlaying && (
              <span className={`${classes.play} ${look('centred', 'pill', 'scrim')}`}>
                <IconPlayerPlayFilled size={36} aria-hidden />
              </span>
            )}
          </UnstyledButton>
        )}
        {isSilent && isCurrent && (
          <span className={classes.hint} aria-hidden="true">
            <IconVolumeOff size={16} stroke={1.75} />
            Tap for sound
          </span>
        )}
        <div className={`${column(4)} ${classes.words}`}>
          <h2 id={titleId} className={`${look('twoLines')} ${classes.title}`}>
            <Link to="/clip/$id" params={{ id: String(id) }}>
              {title}
            </Link>
          </h2>
          <p className={row(0, 'small')}>
            {maker ? (
              <Link
                to="/profile/$id"
                params={{ id: String(maker.id) }}
                className={`${row(8)} ${classes.name}`}
              >
                <UserAvatar name={name} src={maker.avatarUrl} size={24} />
                {name}
              </Link>
            ) : (
              name
            )}
          </p>
          <p className={classes.from}>
            <IconCut size={14} stroke={2} aria-hidden />
            <span className={look('oneLine', 'shrink')}>from {video.title}</span>
          </p>
        </div>
      </div>
      <FeedActions clip={clip} isSignedIn={isSignedIn} />
    </article>
  )
}
