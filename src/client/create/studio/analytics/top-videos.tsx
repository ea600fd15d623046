import { UnstyledButton } from '@mantine/core'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { Thumbnail } from '#client/kit/video/thumbnail.tsx'
import { formatViews } from '#shared/text/format.ts'
import classes from './analytics.module.css'

type TopVideosProps = {
  videos: { id: number; title: string; thumbnailUrl: string | null; views: number }[]
  onChoose: (videoId: number) => void
}

export function TopVideos({ videos, onChoose }: TopVideosProps) {
  return (
    <Panel title="Most viewed" heading="h3" className={look('below16')}>
      {videos.length === 0 && (
        <p className={look('note')}>No views yet. Your most viewed videos appear here.</p>
      )}
      <ul className={stack(8, 'size13')}>
        {videos.map(({ id, title, thumbnailUrl, views }) => (
          <li key={id}>
            <UnstyledButton
              className={`${row(12, 'hoverable')} ${classes.top}`}
              onClick={() => onChoose(id)}
            >
              <Thumbnail src={thumbnailUrl} className={classes.thumbnail} />
              <span className={look('fill', 'strong', 'breakWords')}>{title}</span>
              <span className={look('note')}>{formatViews(views)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
