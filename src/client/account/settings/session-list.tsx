import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'
import { stack, wrapped } from '#client/kit/layout/layout.ts'
import { EntryRow, EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import { formatDate } from '#shared/text/format.ts'
import { describeDevice } from './device-name.ts'
import { NetworkFact } from './network-fact.tsx'

type Session = {
  id: string
  createdAt: string
  expiresAt: string
  userAgent: string | null
  method: 'password' | 'provider' | 'passkey'
  address: string | null
  lastUsedAt: string | null
  isCurrent: boolean
}

const METHODS = {
  password: 'with a password',
  provider: 'with another account',
  passkey: 'with a passkey',
}

const SHOWN = 5

/** Other devices can be signed out. */
export default function SessionList() {
  const [showsAll, setShowsAll] = useState(false)
  const utils = trpc.useUtils()
  const sessions = trpc.settings.sessions.useQuery()
  const end = trpc.settings.endSession.useMutation({
    onSuccess: notifyDone('Device logged out'),
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
    onSuccess: notifyDone('Logged out everywhere else'),
    onError: notifyFailure('Your other devices are still signed in'),
    onSettled: () => utils.settings.sessions.invalidate(),
  })
  if (sessions.isPending) return <EntryRowsSkeleton count={2} label="Loading devices" />
  if (!sessions.data) {
    return <LoadError error={sessions.error} onRetry={() => void sessions.refetch()} />
  }
  const { length } = sessions.data
  const ordered = sessions.data.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return (
    <>
      <ul className={stack(0)}>
        {ordered.slice(0, showsAll ? length : SHOWN).map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables.id === session.id}
            onEnd={() => end.mutate({ id: session.id })}
          />
        ))}
      </ul>
      <div className={wrapped(12)}>
        {length > SHOWN && (
          <Button variant="default" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `Show all (${length})`}
          </Button>
        )}
        <Button
          variant="default"
          disabled={length < 2 || endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          {endOthers.isPending ? 'Ending...' : 'End all other sessions'}
        </Button>
      </div>
    </>
  )
}

type SessionRowProps = { session: Session; isEnding: boolean; onEnd: () => void }

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { name, isHandheld } = describeDevice(session.userAgent)
  return (
    <EntryRow
      icon={isHandheld ? IconDeviceMobile : IconDeviceDesktop}
      name={name}
      hint={session.userAgent ?? undefined}
      tag={session.isCurrent && 'This device'}
      facts={
        <>
          {session.isCurrent ? 'Active now' : <LastUsed session={session} />}
          <NetworkFact address={session.address} />
          <br />
          Signed in <TimeAgo time={session.createdAt} /> {METHODS[session.method]} · until{' '}
          {formatDate(session.expiresAt)}
        </>
      }
      action={
        !session.isCurrent && (
          <Button
            variant="default"
            aria-label={`Log out ${name}`}
            disabled={isEnding}
            onClick={onEnd}
          >
            {isEnding ? 'Logging out...' : 'Log out'}
          </Button>
        )
      }
    />
  )
}

function LastUsed({ session: { lastUsedAt, createdAt } }: { session: Session }) {
  return (
    <>
      Last used <TimeAgo time={lastUsedAt ?? createdAt} />
    </>
  )
}
