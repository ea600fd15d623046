import '#client/kit/styles/mantine-pages.css'
import { Kbd } from '@mantine/core'
import { useState } from 'react'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './moment-review.module.css'
import { MomentRow } from './moment-row.tsx'
import { rangeOf } from './moment-texts.ts'
import { RangePlayer } from './range-player.tsx'
import { useReviewKeys } from './use-review-keys.ts'

type MomentReviewProps = {
  video: Video
  /** In the order that they are walked through. */
  moments: readonly Moment[]
  /** The clips that were made here, by their moment's peak. */
  clips: ReadonlyMap<number, number>
  isBusy: boolean
  onClip: (moment: Moment) => void
  onForget: (moment: Moment) => void
}

/** The moments of a recording to walk through, each played in place. */
export function MomentReview({ video, moments, onClip, onForget, ...rest }: MomentReviewProps) {
  const [chosen, setChosen] = useState(moments[0]?.peakSeconds)
  const found = moments.findIndex(({ peakSeconds }) => peakSeconds === chosen)
  const index = Math.max(found, 0)
  const current = moments[index]
  const goTo = (moment: Moment | undefined) => {
    if (moment) setChosen(moment.peakSeconds)
  }
  const forget = (moment: Moment) => {
    const at = moments.indexOf(moment)
    if (moment === current) goTo(moments[at + 1] ?? moments[at - 1])
    onForget(moment)
  }
  useReviewKeys({
    j: () => goTo(moments[index + 1]),
    k: () => goTo(moments[index - 1]),
    x: () => current && forget(current),
    Enter: () => current && !rest.clips.has(current.peakSeconds) && onClip(current),
  })
  if (!current) return null
  return (
    <div className={classes.root}>
      <div className={classes.stage}>
        <RangePlayer video={video} range={rangeOf(current, video.duration)} />
        <p className={classes.keys}>
          <Kbd>J</Kbd> <Kbd>K</Kbd> next, previous <Kbd>Enter</Kbd> make the clip <Kbd>X</Kbd>{' '}
          forget
        </p>
      </div>
      <ul className={classes.list} aria-label="Moments">
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
