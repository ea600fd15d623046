import { useLocalStorage } from '@mantine/hooks'
import { IconPin, IconSpeakerphone, IconX } from '@tabler/icons-react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { RichText } from '#client/kit/video/rich-text.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VideoRow } from '../video/list/video-row.tsx'
import classes from './pinned.module.css'

type PinnedProps = { notice: string; video: Video | null }

const NOWHERE = () => {}

/** A closed notice returns when it changes. */
export default function Pinned({ notice, video }: PinnedProps) {
  const [closed, setClosed] = useLocalStorage({
    key: 'clutch-closed-notice',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  return (
    <>
      {notice && notice !== closed && (
        <aside
          className={`${row(12, 'start', 'below24', 'pad12x16', 'card', 'soft')} ${classes.notice}`}
          aria-label="Notice"
        >
          <IconSpeakerphone size={20} stroke={1.75} aria-hidden />
          <p>
            <RichText text={notice} durationSeconds={0} onSeek={NOWHERE} />
          </p>
          <IconButton
            variant="subtle"
            size="lg"
            aria-label="Close the notice"
            onClick={() => setClosed(notice)}
          >
            <IconX size={20} stroke={1.75} aria-hidden />
          </IconButton>
        </aside>
      )}
      {video && (
        <section
          className={look('below24', 'pad16', 'card', 'surface')}
          aria-labelledby="pinned-video"
        >
          <h2 id="pinned-video" className={row(8, 'below12', 'note')}>
            <IconPin size={16} stroke={1.75} aria-hidden />
            Pinned
          </h2>
          <VideoRow video={video} heading="h3" />
        </section>
      )}
    </>
  )
}
