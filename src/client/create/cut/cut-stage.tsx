import { UnstyledButton } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useCallback } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { CutPlayer } from './cut-player.ts'
import classes from './cut-stage.module.css'

type CutStageProps = {
  player: CutPlayer
  videoUrl: string
  width: number
  height: number
  front: 0 | 1
  isPlaying: boolean
  hasFailed: boolean
  /** The picture is in a dropped part. */
  isDropped: boolean
}

export function CutStage(props: CutStageProps) {
  const { player, front, isPlaying, hasFailed, isDropped } = props
  const ratio = props.width > 0 && props.height > 0 ? props.width / props.height : 16 / 9
  return (
    <div
      className={`${classes.stage} ${look('centred', 'card', 'ground', 'clipped')}`}
      data-dropped={isDropped || undefined}
    >
      <div className={classes.frame} style={{ aspectRatio: ratio }}>
        <Layer index={0} {...props} isFront={front === 0} />
        <Layer index={1} {...props} isFront={front === 1} />
        {hasFailed && (
          <p className={classes.failed} role="alert">
            This browser cannot play the video. You can still cut it by the times.
          </p>
        )}
        {isDropped && <p className={classes.dropped}>Removed</p>}
        <UnstyledButton
          className={look('centred', 'coverAnchor')}
          aria-label={isPlaying ? 'Pause the picture' : 'Play the picture'}
          tabIndex={-1}
          onClick={player.toggle}
        >
          {!isPlaying && !hasFailed && (
            <span className={`${classes.sign} ${look('centred', 'pill', 'scrim')}`}>
              <IconPlayerPlayFilled size={28} aria-hidden />
            </span>
          )}
        </UnstyledButton>
      </div>
    </div>
  )
}

type LayerProps = CutStageProps & { index: 0 | 1; isFront: boolean }

function Layer({ player, index, isFront, videoUrl }: LayerProps) {
  const attach = useCallback(
    (video: HTMLVideoElement) => {
      video.src = videoUrl
      const detach = player.attach(index, video)
      return () => {
        detach()
        video.removeAttribute('src')
        video.load()
      }
    },
    [player, index, videoUrl],
  )
  return (
    // biome-ignore lint/a11y/useMediaCaption: it is edited, not watched; its captions have a field of their own.
    <video
      ref={attach}
      className={`${classes.video} ${look('fullWidth', 'coverAnchor', 'fullHeight')}`}
      data-front={isFront || undefined}
      aria-label={isFront ? 'Preview of the result' : undefined}
      aria-hidden={!isFront}
      playsInline
      preload="auto"
      onError={(event) => {
        if (event.currentTarget.hasAttribute('src')) player.fail()
      }}
    />
  )
}
