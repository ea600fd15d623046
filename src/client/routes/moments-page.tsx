import { getRouteApi, Link } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { useSession } from '../account/auth/use-session.ts'
import { AddTimeline } from '../create/moments/add-timeline.tsx'
import { foundText } from '../create/moments/moments-note.tsx'
import { MomentsOfVideo } from '../create/moments/moments-of-video.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { trpc } from '../trpc.ts'
import classes from './moments-page.module.css'
import { NotFoundPage } from './not-found-page.tsx'

const route = getRouteApi('/shell/studio/moments/$id')

/** Of one's own recording, best first. */
export function MomentsPage() {
  const id = Number(route.useParams().id)
  const user = useSession()
  const video = trpc.video.get.useQuery({ id })
  const moments = trpc.moment.list.useQuery({ id })
  const error = video.error ?? moments.error
  if (error) {
    return (
      <LoadError
        heading="h1"
        error={error}
        onRetry={() => {
          void video.refetch()
          void moments.refetch()
        }}
      />
    )
  }
  if (!video.data || !moments.data) return <PageSpinner />
  if (video.data.userId !== user?.id) return <NotFoundPage />
  const best = [...moments.data].sort((a, b) => b.score - a.score)
  return (
    <>
      <PageTitle title="Moments" />
      <header className={row([12, 24], 'wrap', 'between', 'below16')}>
        <div>
          <h1 className={look('pageHeading')}>Moments</h1>
          <p className={look('muted', 'breakWords')}>
            {best.length > 0 && `${foundText(best.length)} in `}
            <Link to="/video/$id" params={{ id: String(id) }} className={classes.link}>
              {video.data.title}
            </Link>
          </p>
        </div>
        <AddTimeline id={id} />
      </header>
      <MomentsOfVideo video={video.data} moments={best} />
    </>
  )
}
