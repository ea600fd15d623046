import { Button } from '@mantine/core'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import classes from './playback-error.module.css'

type PlaybackErrorProps = {
  videoFileExists: boolean
  /** At the same time. */
  onRetry: () => void
}

/** In the player's place. */
export function PlaybackError({ videoFileExists, onRetry }: PlaybackErrorProps) {
  return (
    <div className={`${column(12, 'middle', 'centre')} ${classes.root}`} role="alert">
      <h2 className={`${classes.title} ${look('size22')}`}>Video playback error</h2>
      {videoFileExists ? (
        <p>The video could not be loaded.</p>
      ) : (
        <div>
          <p>The video file is missing. Possible reasons:</p>
          <ul className={look('above8', 'muted')}>
            <li>The video was deleted by its owner</li>
            <li>It was removed for violating guidelines</li>
            <li>The storage was cleared</li>
          </ul>
        </div>
      )}
      <div className={wrapped(12, 'middle')}>
        {videoFileExists && <Button onClick={onRetry}>Try again</Button>}
        <Button variant={videoFileExists ? 'default' : 'filled'} onClick={() => location.reload()}>
          Refresh page
        </Button>
        {!videoFileExists && (
          <LinkButton to="/" variant="default">
            Return home
          </LinkButton>
        )}
      </div>
    </div>
  )
}

/** Without any address. */
export function VideoUnavailable() {
  return (
    <div className={`${column(12, 'middle', 'centre')} ${classes.root}`} role="alert">
      <p>Video unavailable: This video file is missing or could not be accessed.</p>
    </div>
  )
}
