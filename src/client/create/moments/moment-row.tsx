import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconPlayerPlayFilled, IconScissors, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import classes from './moment-review.module.css'
import { reasonOf } from './moment-texts.ts'

type MomentRowProps = {
  moment: Moment
  clipId: number | undefined
  isCurrent: boolean
  isBusy: boolean
  onChoose: () => void
  onClip: () => void
  onForget: () => void
}

export function MomentRow(props: MomentRowProps) {
  const { moment, clipId, isCurrent, isBusy, onChoose, onClip, onForget } = props
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const time = formatDuration(moment.peakSeconds)
  return (
    <li ref={ref} className={`${row(8)} ${classes.row}`} aria-current={isCurrent || undefined}>
      <button
        type="button"
        className={`${row(12, 'fill')} ${classes.choose}`}
        data-walked={isCurrent || undefined}
        onClick={onChoose}
      >
        <IconPlayerPlayFilled size={16} aria-hidden />
        <span className="visually-hidden">Play</span>
        <span className={classes.time}>{time}</span>
        <span className={look('shrink', 'note', 'breakWords')}>{reasonOf(moment)}</span>
      </button>
      {clipId === undefined ? (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconScissors size={16} stroke={1.75} aria-hidden />}
          disabled={isBusy}
          onClick={onClip}
        >
          Make clip<span className="visually-hidden"> of {time}</span>
        </Button>
      ) : (
        <a className={row(0, 'inline', 'small', 'infoColor', 'size13')} href={`/clip/${clipId}`}>
          Open the clip
        </a>
      )}
      <IconButton
        variant="subtle"
        size="lg"
        aria-label={`Dismiss ${time}`}
        hint="Dismiss"
        onClick={onForget}
      >
        <IconX size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}
