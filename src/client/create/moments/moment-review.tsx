import { useRef, useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './moment-review.module.css'
import { MomentRow } from './moment-row.tsx'
import { rangeOf } from './moment-texts.ts'
import { RangePlayer } from './range-player.tsx'
import { useReviewKeys } from './use-review-keys.ts'

type MomentReviewProps = {
  video: Video
  /** In review order. */
  moments: readonly Moment[]
  /** Created here, by peak. */
  clips: ReadonlyMap<number, number>
  isBusy: boolean
  onClip: (moment: Moment) => void
  onForget: (moment: Moment) => void
}

export function MomentReview({ video, moments, onClip, onForget, ...rest }: MomentReviewProps) {
  const listRef = useRef<HTMLUListElement>(null)
  const [chosen, setChosen] = useState(moments[0]?.peakSeconds)
  const found = moments.findIndex(({ peakSeconds }) => peakSeconds === chosen)
  const index = Math.max(found, 0)
  const current = moments[index]
  const goTo = (moment: Moment | undefined) => {
    if (moment) setChosen(moment.peakSeconds)
  }
  const walkTo = (to: number) => {
    goTo(moments[to])
    listRef.current?.children[to]?.querySelector('button')?.focus({ preventScroll: true })
  }
  const forget = (moment: Moment) => {
    const at = moments.indexOf(moment)
    if (moment === current) walkTo(at + 1 < moments.length ? at + 1 : at - 1)
    onForget(moment)
  }
  useReviewKeys({
    j: () => walkTo(index + 1),
    k: () => walkTo(index - 1),
    x: () => current && forget(current),
    Enter: () => current && !rest.clips.has(current.peakSeconds) && onClip(current),
  })
  if (!current) return null
  return (
    <div className={classes.root}>
      <div className={classes.stage}>
        <RangePlayer video={video} range={rangeOf(current, video.duration)} />
        <p className={`${classes.keys} ${look('above12', 'note', 'mouseOnly')}`}>
          <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>Enter</kbd> makes the clip, <kbd>X</kbd>{' '}
          dismisses
        </p>
      </div>
      <ul ref={listRef} className={stack(4)} aria-label="Moments">
        {moments.map((moment) => (
          <MomentRow
            key={moment.peakSeconds}
            moment={moment}
            clipId={rest.clips.get(moment.peakSeconds)}
            isCurrent={moment === current}
            isBusy={rest.isBusy}
            onChoose={() => goTo(moment)}
            onClip={() => onClip(moment)}
            onForget={() => forget(moment)}
          />
        ))}
      </ul>
    </div>
  )
}
