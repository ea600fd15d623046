import '#client/kit/styles/mantine-pages.css'
import { Switch } from '@mantine/core'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationPlace,
} from '#shared/notification-kinds.ts'
import classes from './settings-form.module.css'

const PlaceSelect = lazyPart(() => import('./place-select.tsx'))

const LABELS: Record<NotificationKind, string> = {
  comments: 'Comments on your videos, clips and posts',
  replies: 'Replies and mentions',
  likes: 'Likes',
  subscribers: 'New subscribers',
  videos: 'New videos from channels you subscribe to',
  posts: 'Posts from channels you subscribe to',
  shares: 'Private videos shared with you, and videos you are named in',
  squads: 'Squads: new posts, clips and videos, invitations, requests to join, and your role',
}

/** Saves each choice at once. Members without push messages can only turn the bell on and off. */
export default function NotificationsForm() {
  const utils = trpc.useUtils()
  const push = trpc.push.state.useQuery()
  const choices = trpc.notification.choices.useQuery()
  const choose = trpc.notification.choose.useMutation({
    onSuccess: (saved) => utils.notification.choices.setData(undefined, saved),
    onError: notifyFailure('Not saved'),
    onSettled: () => utils.notification.choices.invalidate(),
  })
  if (choices.isError && !choices.data) {
    return <LoadError error={choices.error} onRetry={() => void choices.refetch()} />
  }
  const hasPush = (push.data?.browsers.length ?? 0) > 0
  const placeOf = (kind: NotificationKind): NotificationPlace => {
    if (choose.isPending && choose.variables.kind === kind) return choose.variables.place
    return choices.data?.places[kind] ?? 'push'
  }
  return (
    <div className={classes.form}>
      {NOTIFICATION_KINDS.map((kind) =>
        hasPush ? (
          <PlaceSelect
            key={kind}
            label={LABELS[kind]}
            place={placeOf(kind)}
            disabled={!choices.data}
            onChange={(place) => choose.mutate({ kind, place })}
          />
        ) : (
          <Switch
            key={kind}
            label={LABELS[kind]}
            checked={placeOf(kind) !== 'none'}
            disabled={!choices.data}
            onChange={({ currentTarget }) =>
              choose.mutate({ kind, place: currentTarget.checked ? 'push' : 'none' })
            }
          />
        ),
      )}
    </div>
  )
}
