import '#client/kit/styles/mantine-pages.css'
import { Switch } from '@mantine/core'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import { NOTIFICATION_KINDS, type NotificationKind } from '#shared/notification-kinds.ts'
import classes from './settings-form.module.css'

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

/** Saves each switch as soon as it is changed. */
export function NotificationsForm() {
  const utils = trpc.useUtils()
  const choices = trpc.notification.choices.useQuery()
  const choose = trpc.notification.choose.useMutation({
    onSuccess: (saved) => utils.notification.choices.setData(undefined, saved),
    onError: notifyFailure('Not saved'),
    onSettled: () => utils.notification.choices.invalidate(),
  })
  if (choices.isError && !choices.data) {
    return <LoadError error={choices.error} onRetry={() => void choices.refetch()} />
  }
  const isOn = (kind: NotificationKind) => {
    if (choose.isPending && choose.variables.kind === kind) return !choose.variables.isMuted
    return !choices.data?.muted.includes(kind)
  }
  return (
    <div className={classes.form}>
      {NOTIFICATION_KINDS.map((kind) => (
        <Switch
          key={kind}
          label={LABELS[kind]}
          checked={isOn(kind)}
          disabled={!choices.data}
          onChange={(event) => choose.mutate({ kind, isMuted: !event.currentTarget.checked })}
        />
      ))}
    </div>
  )
}
