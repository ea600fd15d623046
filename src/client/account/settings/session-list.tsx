import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { row, stack } from '#client/kit/layout/layout.ts'
import textStyles from '#client/kit/layout/text.module.css'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { formatDate } from '#shared/text/format.ts'
import { describeDevice } from './device-name.ts'
import classes from './session-list.module.css'

type Session = {
  id: string
  createdAt: string
  expiresAt: string
  userAgent: string | null
  isCurrent: boolean
}

/** Where one is signed in; every other device can be signed out from here. */
export function SessionList() {
  const utils = trpc.useUtils()
  const sessions = trpc.settings.sessions.useQuery()
  const end = trpc.settings.endSession.useMutation({
    onSuccess: () => notify({ title: 'Device logged out' }),
    onError: (error) => {
      if (errorStatus(error) === 404) return
      notify({
        tone: 'error',
        title: 'The device could not be logged out',
        message: serverSentence(error),
      })
    },
    onSettled: () => utils.settings.sessions.invalidate(),
  })
  const endOthers = trpc.settings.endOtherSessions.useMutation({
    onSuccess: () => notify({ title: 'Logged out everywhere else' }),
    onError: (error) =>
      notify({
        tone: 'error',
        title: 'The other devices are still signed in',
        message: serverSentence(error),
      }),
    onSettled: () => utils.settings.sessions.invalidate(),
  })
  if (sessions.isPending) return <SessionsSkeleton />
  if (!sessions.data) {
    return <LoadError error={sessions.error} onRetry={() => void sessions.refetch()} />
  }
  const [current, others] = [
    sessions.data.filter(({ isCurrent }) => isCurrent),
    sessions.data.filter(({ isCurrent }) => !isCurrent),
  ]
  return (
    <>
      <ul className={stack(0)}>
        {[...current, ...others].map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables.id === session.id}
            onEnd={() => end.mutate({ id: session.id })}
          />
        ))}
      </ul>
      <Button
        className={classes.endOthers}
        variant="default"
        disabled={others.length === 0 || endOthers.isPending}
        onClick={() => endOthers.mutate()}
      >
        {endOthers.isPending ? 'Ending...' : 'End all other sessions'}
      </Button>
    </>
  )
}

type SessionRowProps = { session: Session; isEnding: boolean; onEnd: () => void }

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { name, isHandheld } = describeDevice(session.userAgent)
  const Icon = isHandheld ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.session}>
      <Icon className={classes.icon} size={24} stroke={1.75} aria-hidden />
      <div>
        <p
          className={`${row([0, 8], 'wrap')} ${textStyles.strong}`}
          title={session.userAgent ?? undefined}
        >
          {name}
          {session.isCurrent && <span className={classes.current}>This device</span>}
        </p>
        <p className={textStyles.note}>
          Signed in <TimeAgo time={session.createdAt} /> · until {formatDate(session.expiresAt)}
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          variant="default"
          aria-label={`Log out ${name}`}
          disabled={isEnding}
          onClick={onEnd}
        >
          {isEnding ? 'Logging out...' : 'Log out'}
        </Button>
      )}
    </li>
  )
}

function SessionsSkeleton() {
  return (
    <div className={stack(0)} role="status" aria-label="Loading devices">
      {[0, 1].map((index) => (
        <div key={index} className={classes.session} aria-hidden="true">
          <span className={classes.icon} />
          <div>
            <div className={`${row([0, 8], 'wrap')} ${textStyles.strong}`}>
              <TextSkeleton width="160px" />
            </div>
            <div className={textStyles.note}>
              <TextSkeleton width="220px" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
