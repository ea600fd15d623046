import { look } from '#client/kit/layout/layout.ts'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'

const REFRESH_MS = 5000

/** Of the saved settings. */
export function UpdateState() {
  const { data: release } = trpc.release.get.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.update?.askedAt === null ? REFRESH_MS : false),
  })
  if (!release?.update) return <p className={look('muted')}>Nothing is asked now.</p>
  const { askedAt, newest, isNewer } = release.update
  if (askedAt === null) return <p className={look('muted')}>It is asked within a minute.</p>
  const when = <TimeAgo time={askedAt} />
  if (!newest) return <p className={look('errorColor')}>Last asked: {when}. No answer came.</p>
  if (isNewer) {
    return (
      <p>
        Last asked: {when}. Clutch {newest.version} is out.
      </p>
    )
  }
  return (
    <p>
      Last asked: {when}. Clutch {release.version} is the newest.
    </p>
  )
}
