import { UnstyledButton } from '@mantine/core'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { formatViews } from '#shared/text/format.ts'
import classes from './analytics.module.css'

type TopVideosProps = {
  videos: { id: number; title: string; thumbnailUrl: string | null; views: number }[]
  onChoose: (videoId: number) => void
}

export function TopVideos({ videos, onChoose }: TopVideosProps) {
  return (
    <section className={classes.panel} aria-labelledby="top-title">
      <h3 id="top-title" className={classes.title}>
        Most viewed
      </h3>
      {videos.length === 0 && (
        <p className={classes.quiet}>Nothing yet. Your most viewed videos will stand here.</p>
      )}
      <ul className={classes.list}>
        {videos.map(({ id, title, thumbnailUrl, views }) => (
          <li key={id}>
            <UnstyledButton className={classes.top} onClick={() => onChoose(id)}>
              <span className={classes.thumbnail}>
                {thumbnailUrl && <FittedImage src={thumbnailUrl} loading="lazy" />}
              </span>
              <span className={classes.name}>{title}</span>
              <span className={classes.quiet}>{formatViews(views)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
