import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { row, stack } from '#client/kit/layout/layout.ts'
import { parseChapters } from '#shared/chapters.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../account/auth/use-session.ts'
import { CutEditor } from '../create/cut/cut-editor.tsx'
import { CutNews } from '../create/cut/save/cut-news.tsx'
import { useCutJob } from '../create/cut/save/use-cut-job.ts'
import { LinkButton } from '../kit/control/link-button.tsx'
import { FilmDrawing } from '../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { LadderLine, ProcessingLine } from '../kit/video/work-line.tsx'
import { errorStatus } from '../platform/error-message.ts'
import { trpc } from '../trpc.ts'
import { parseVideoId } from '../watch/player/video-id.ts'
import classes from './cut-page.module.css'
import { NotFoundPage } from './not-found-page.tsx'

const route = getRouteApi('/shell/studio/cut/$id')

/** For the owner. */
export function CutPage() {
  const id = parseVideoId(route.useParams().id)
  return id === undefined ? <NotFoundPage /> : <OwnVideo key={id} id={id} />
}

function OwnVideo({ id }: { id: number }) {
  const user = useSession()
  const video = trpc.video.get.useQuery({ id })
  if (video.isPending) return <PageSpinner />
  if (!video.data) {
    if (errorStatus(video.error) === 404) return <NotFoundPage />
    return <LoadError heading="h1" error={video.error} onRetry={() => void video.refetch()} />
  }
  if (video.data.userId !== user?.id) return <NotFoundPage />
  return <Cutting video={video.data} />
}

function Cutting({ video }: { video: Video }) {
  const { id, title, processingState } = video
  const job = useCutJob(id)
  return (
    <>
      <PageTitle title={`Cut ${title}`} />
      <header className={row([4, 16], 'wrap', 'between', 'below12')}>
        <h1 className={classes.heading}>{title}</h1>
        <LinkButton to="/studio" variant="subtle" size="sm">
          Back to the studio
        </LinkButton>
      </header>
      <div className={`${stack(12)} ${classes.body}`}>
        <CutNews videoId={id} title={title} job={job} />
        <LadderLine video={video} />
        {processingState === 'ready' ? (
          <Ready video={video} job={job} />
        ) : (
          <EmptyState
            heading="h2"
            drawing={<FilmDrawing />}
            title="This video does not play yet"
            action={
              <LinkButton to="/studio" variant="default">
                Open the studio
              </LinkButton>
            }
          >
            {processingState === 'processing' ? (
              <ProcessingLine video={video} />
            ) : (
              'It could not be prepared. The studio says why.'
            )}
          </EmptyState>
        )}
      </div>
    </>
  )
}

function Ready({ video, job }: { video: Video; job: ReturnType<typeof useCutJob> }) {
  const { id, description } = video
  const source = trpc.cut.source.useQuery({ videoId: id }, { staleTime: Number.POSITIVE_INFINITY })
  const playback = trpc.video.playback.useQuery({ id })
  const durationSeconds = source.data?.durationSeconds ?? 0
  const chapters = useMemo(
    () => parseChapters(description, durationSeconds),
    [description, durationSeconds],
  )
  const moments = useMemo(
    () =>
      (playback.data?.moments ?? []).map(({ peakSeconds }) => peakSeconds).sort((a, b) => a - b),
    [playback.data],
  )
  const failed = [source, playback].find(({ isError, data }) => isError && !data)
  if (failed) return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />
  if (!source.data || !playback.data) return <PageSpinner />
  const { videoUrl, waveformUrl } = playback.data
  if (!videoUrl) return <PageSpinner />
  return (
    <CutEditor
      key={`${videoUrl} ${durationSeconds}`}
      {...{ video, job, videoUrl, waveformUrl, chapters, moments }}
      source={source.data}
    />
  )
}
