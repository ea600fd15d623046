import { Button, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconMovie, IconPlayerPlayFilled, IconVolumeOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { useIsSquadOver } from '../../player/use-squad-end.ts'
import { FeedActions, type FeedComments } from './feed-actions.tsx'
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
  /** Shows only the middle of a wide picture, larger than the whole would be. */
  isCropped: boolean
  saysHowToMove: boolean
  comments: FeedComments
  onPress: () => void
  onRefused: (what: 'sound' | 'play') => void
}

export function FeedScreen({ clip, isCurrent, isPlaying, isMuted, ...props }: FeedScreenProps) {
  const { isSignedIn, isLoaded, hasPicture, isCropped, saysHowToMove } = props
  const { comments, onPress, onRefused } = props
  const { id, title, maker, video } = clip
  const titleId = useId()
  const [isBroken, setBroken] = useState(false)
  const [tries, setTries] = useState(0)
  const isOver = useIsSquadOver(video, isCurrent)
  const at = Math.floor(clip.startSeconds)
  const name = maker?.displayName ?? 'Anonymous'
  const picture = hasPicture && !isOver ? (clip.pictureUrl ?? posterOf(video).src) : null
  const isSilent = isPlaying && isMuted
  return (
    <article
      className={classes.screen}
      aria-labelledby={titleId}
      data-game={video.category}
      data-current={isCurrent || undefined}
    >
      <div className={classes.frame} data-cropped={isCropped || undefined}>
        {picture && (
          <>
            <img className={classes.glow} src={picture} alt="" aria-hidden="true" />
            <img className={classes.picture} src={picture} alt="" />
          </>
        )}
        {isLoaded && !isBroken && !isOver && (
          <FeedVideo
            key={tries}
            {...{ clip, isCurrent, isPlaying, isMuted, onRefused }}
            onBroken={() => setBroken(true)}
          />
        )}
        {isOver || isBroken ? (
          <div
            className={`${column(12, 'centre', 'relative', 'card', 'scrim')} ${classes.broken}`}
            role="alert"
          >
            <p>{isOver ? 'This clip is no longer available.' : 'This clip could not be played.'}</p>
            {!isOver && (
              <Button
                variant="default"
                onClick={() => {
                  setBroken(false)
                  setTries(tries + 1)
                }}
              >
                Try again
              </Button>
            )}
          </div>
        ) : (
          <UnstyledButton
            className={classes.press}
            aria-label={pressName({ isSilent, isPlaying, isCropped, title })}
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
            Turn on sound
          </span>
        )}
        {saysHowToMove && isCurrent && (
          <span className={classes.hint} data-second={isSilent || undefined}>
            <IconArrowLeft size={16} stroke={1.75} aria-hidden />
            Swipe for the next clip
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
          <p className={row(0, 'small')}>
            <Link
              className={classes.from}
              to="/video/$id"
              params={{ id: String(video.id) }}
              search={at > 0 ? { t: String(at) } : {}}
            >
              <IconMovie size={16} stroke={1.75} aria-hidden />
              <span className="visually-hidden">Whole video</span>
              <span className={look('oneLine', 'shrink')}>from {video.title}</span>
            </Link>
          </p>
        </div>
      </div>
      <FeedActions {...{ clip, isSignedIn, comments }} />
    </article>
  )
}

type Pressed = { isSilent: boolean; isPlaying: boolean; isCropped: boolean; title: string }

function pressName({ isSilent, isPlaying, isCropped, title }: Pressed): string {
  if (!isPlaying) return `Play ${title}`
  if (isSilent) return isCropped ? 'Turn the sound on, show the whole picture' : 'Turn the sound on'
  return isCropped ? 'Show the whole picture' : 'Pause'
}
