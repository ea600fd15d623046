import classes from './resume-bar.module.css'

type ResumeBarProps = {
  /** Undefined if never watched. */
  positionSeconds: number | undefined
  durationSeconds: number
}

/** At the lower edge of the picture. */
export function ResumeBar({ positionSeconds, durationSeconds }: ResumeBarProps) {
  if (positionSeconds === undefined || durationSeconds <= 0) return null
  const percent = Math.min(100, Math.max(2, Math.round((100 * positionSeconds) / durationSeconds)))
  return (
    <span className={classes.bar} role="img" aria-label={`${percent}% watched`}>
      <span className={classes.watched} style={{ width: `${percent}%` }} />
    </span>
  )
}
