import { Button } from '@mantine/core'
import { type MouseEvent, useMemo, useRef } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Mark } from '#client/kit/mark.tsx'
import { Toasts } from '#client/kit/toasts.tsx'
import { parseChapters } from '#shared/chapters.ts'
import type { EmbeddedVideo } from '#shared/embedded-video.ts'
import { addressAt } from '../player/core/time-address.ts'
import { linesOf } from '../player/source/qualities.ts'
import { useOffers } from '../player/use-offers.ts'
import { type PlayerHandle, VideoPlayer } from '../player/video-player.tsx'
import { trackWatching } from '../progress/track-watching.ts'
import { readEmbedOptions } from './embed-options.ts'
import classes from './embedded-player.module.css'
import { reportView } from './report-view.ts'

/** With a link to the site; never reads the session. */
export function EmbeddedPlayer({ video }: { video: EmbeddedVideo }) {
  const { id, description, videoUrl, clip } = video
  const title = clip?.title ?? video.title
  const duration = clip ? clip.endSeconds - clip.startSeconds : video.duration
  const frame = useRef<HTMLDivElement>(null)
  const player = useRef<PlayerHandle>(null)
  const options = useMemo(() => readEmbedOptions(location.search, duration), [duration])
  const chapters = useMemo(
    () => (clip ? [] : parseChapters(description, duration)),
    [clip, description, duration],
  )
  const offers = useOffers(video)
  if (!videoUrl) return <Notice videoId={id} />
  return (
    <main className={`${classes.frame} ${look('relative', 'fullHeight')}`} ref={frame}>
      <VideoPlayer
        ref={player}
        frameRef={frame}
        videoId={id}
        {...(clip && {
          pagePath: `/clip/${clip.id}`,
          range: { start: clip.startSeconds, end: clip.endSeconds },
        })}
        title={title}
        channelName={video.channelName}
        posterUrl={video.thumbnailUrl}
        videoUrl={videoUrl}
        hlsUrl={video.hlsUrl}
        lines={linesOf(video)}
        storyboardUrl={video.storyboardUrl}
        durationSeconds={duration}
        videoFileExists={video.videoFileExists}
        {...options}
        isEmbedded
        {...offers}
        chapters={chapters}
        marks={[]}
        heat={[]}
        moments={[]}
        onMark={null}
        next={null}
        previous={null}
        onVideo={(element) => follow(element, { video, duration, start: options.startSeconds })}
        onNext={() => undefined}
        onFailed={() => undefined}
        renderError={(_, retry) => <Notice videoId={id} onRetry={retry} />}
      />
      <Head video={video} timeOf={() => player.current?.time() ?? 0} />
      <Toasts />
    </main>
  )
}

/** Seeks to the requested time, and reports a view. */
function follow(
  element: HTMLVideoElement,
  { video, duration, start }: { video: EmbeddedVideo; duration: number; start: number },
): () => void {
  const { id, clip } = video
  const begin = clip?.startSeconds ?? 0
  if (start > 0 && element.currentTime < begin + 1) element.currentTime = begin + start
  const report = reportView(duration, clip?.id)
  return trackWatching(element, { videoId: id, onProgress: report, onLeave: report })
}

function Head({ video, timeOf }: { video: EmbeddedVideo; timeOf: () => number }) {
  const { clip } = video
  const path = clip ? `/clip/${clip.id}` : `/video/${video.id}`
  /** The link continues at the current time. */
  const keepTime = ({ currentTarget }: MouseEvent<HTMLAnchorElement>) => {
    currentTarget.href = addressAt(path, timeOf())
  }
  return (
    <div className={`${row(12)} ${classes.head}`}>
      <a className={classes.title} href={path} target="_blank" rel="noopener" onClick={keepTime}>
        <h1>{clip?.title ?? video.title}</h1>
        <span className={`${look('oneLine')} ${classes.channel}`}>{video.channelName}</span>
      </a>
      <a
        className={`${classes.site} ${look('noShrink', 'padX8', 'display')}`}
        href={path}
        target="_blank"
        rel="noopener"
        aria-label={`Watch on ${video.siteName}`}
        onClick={keepTime}
      >
        <Mark size={20} />
        <span className={classes.siteName}>{video.siteName}</span>
      </a>
    </div>
  )
}

function Notice({ videoId, onRetry }: { videoId: number; onRetry?: () => void }) {
  return (
    <div
      className={`${classes.notice} ${stack(12, 'pad16', 'ground', 'fullHeight', 'centredText')}`}
      role="alert"
    >
      <p>This video cannot be played right now.</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      <a href={`/video/${videoId}`} target="_blank" rel="noopener">
        Open its page
      </a>
    </div>
  )
}
