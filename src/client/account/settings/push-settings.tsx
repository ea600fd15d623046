import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { EntryRow, EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { notify } from '#client/platform/notify.tsx'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { PushState } from '#shared/schemas/push.schemas.ts'
import { describeDevice } from './device-name.ts'
import classes from './push.module.css'
import { findObstacle, type PushObstacle, subscribeHere, unsubscribeHere } from './push-browser.ts'
import { QuietHoursForm } from './quiet-hours-form.tsx'

const OBSTACLES: Record<PushObstacle, string> = {
  insecure: 'Push notifications need https. This site was opened without it.',
  'home-screen':
    'On iPhone and iPad, add the site to the home screen first: open the share menu, choose “Add to Home Screen”, and open the site from there.',
  unsupported: 'This browser has no push notifications.',
  blocked: 'Notifications from this site are blocked. Allow them in the settings of your browser.',
}

const NOT_ON = 'Not turned on'
const UNREACHABLE = 'The push service of your browser cannot be reached. Please try again later.'

/** Shows the devices that get push messages, and the quiet hours. */
export default function PushSettings({ userId }: { userId: number }) {
  const state = trpc.push.state.useQuery()
  return (
    <section className={`${stack(16)} ${classes.push}`} aria-labelledby="push">
      <h3 id="push" className={look('smallHeading')}>
        Push notifications
      </h3>
      {state.isPending && <EntryRowsSkeleton count={1} label="Loading devices" />}
      {state.isError && !state.data && (
        <LoadError error={state.error} onRetry={() => void state.refetch()} />
      )}
      {state.data && <Devices state={state.data} userId={userId} />}
      {state.data && state.data.browsers.length > 0 && (
        <QuietHoursForm hours={state.data.quietHours} />
      )}
    </section>
  )
}

type DevicesProps = { state: PushState; userId: number }

function Devices({ state: { browsers }, userId }: DevicesProps) {
  const utils = trpc.useUtils()
  const keep = (saved: PushState | undefined) => {
    if (saved) utils.push.state.setData(undefined, saved)
    else notify({ tone: 'error', title: NOT_ON, message: OBSTACLES.blocked })
  }
  const turnOn = useMutation({
    mutationFn: () => subscribeHere(userId),
    onSuccess: keep,
    onError: (error) => {
      if (error instanceof TRPCClientError) notifyFailure(NOT_ON)(error)
      else notify({ tone: 'error', title: NOT_ON, message: UNREACHABLE })
    },
  })
  const remove = trpc.push.unsubscribe.useMutation({
    onSuccess: keep,
    onError: notifyFailure('Not turned off'),
  })
  const test = trpc.push.sendTest.useMutation({
    onSuccess: notifyDone('Sent'),
    onError: notifyFailure('Not sent'),
    onSettled: () => utils.push.state.invalidate(),
  })
  const obstacle = findObstacle()
  const isOnHere = browsers.some(({ isCurrent }) => isCurrent)
  return (
    <>
      {browsers.length > 0 && (
        <ul className={stack(0)}>
          {browsers.map((browser) => (
            <DeviceRow
              key={browser.id}
              browser={browser}
              isRemoving={remove.isPending && remove.variables.id === browser.id}
              onRemove={() => {
                if (browser.isCurrent) void unsubscribeHere()
                remove.mutate({ id: browser.id })
              }}
            />
          ))}
        </ul>
      )}
      {isOnHere && (
        <div className={wrapped(12)}>
          <Button variant="default" disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? 'Sending...' : 'Send a test'}
          </Button>
        </div>
      )}
      {!isOnHere && obstacle && <p className={look('muted')}>{OBSTACLES[obstacle]}</p>}
      {!isOnHere && !obstacle && (
        <>
          <p className={look('muted')}>
            Get notifications on this device, also while the site is closed.
          </p>
          <div className={wrapped(12)}>
            <Button variant="default" disabled={turnOn.isPending} onClick={() => turnOn.mutate()}>
              {turnOn.isPending ? 'Turning on...' : 'Turn on for this device'}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

type DeviceRowProps = {
  browser: PushState['browsers'][number]
  isRemoving: boolean
  onRemove: () => void
}

function DeviceRow({ browser, isRemoving, onRemove }: DeviceRowProps) {
  const { userAgent, createdAt, sentAt, isCurrent } = browser
  const { name, isHandheld } = describeDevice(userAgent)
  return (
    <EntryRow
      icon={isHandheld ? IconDeviceMobile : IconDeviceDesktop}
      name={name}
      hint={userAgent ?? undefined}
      tag={isCurrent && 'This device'}
      facts={
        <>
          Turned on <TimeAgo time={createdAt} />
          {sentAt && (
            <>
              {' '}
              · last notification <TimeAgo time={sentAt} />
            </>
          )}
        </>
      }
      action={
        <Button
          variant="default"
          aria-label={`Turn off for ${name}`}
          disabled={isRemoving}
          onClick={onRemove}
        >
          {isRemoving ? 'Turning off...' : 'Turn off'}
        </Button>
      }
    />
  )
}
