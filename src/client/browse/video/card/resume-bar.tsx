import classes from './resume-bar.module.css'

type ResumeBarProps = {
  /** Where the viewer left off; undefined when they never began. */
  positionSeconds: number | undefined
  durationSeconds: number
}

/** How far a user has watched, along the lower edge of the picture it lies in. */
export function ResumeBar({ positionSeconds, durationSeconds }: ResumeBarProps) {
  if (positionSeconds === undefined || durationSeconds <= 0) return null
  const percent = Math.min(100, Math.max(2, Math.round((100 * positionSeconds) / durationSeconds)))
  return (
    <span className={classes.bar} role="img" aria-label={`${percent}% watched`}>
      <span className={classes.watched} style={{ width: `${percent}%` }} />
    </span>
  )
}
