import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../components/button.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { notify } from '../../lib/notify.ts'
import { trpc } from '../../trpc.ts'
import classes from './subscribe-button.module.css'

type SubscribeButtonProps = {
  channel: { id: number; displayName: string; isSubscribed?: boolean | undefined }
  isSignedIn: boolean
}

/** Follows a channel, or stops following it. Leave it out on one's own channel. */
export function SubscribeButton({ channel, isSignedIn }: SubscribeButtonProps) {
  const utils = trpc.useUtils()
  const refresh = () =>
    Promise.all([
      utils.video.get.invalidate(),
      utils.user.invalidate(),
      utils.subscription.invalidate(),
    ])
  const outcome = (texts: { done: string; failed: string }) => ({
    onSuccess: async () => {
      notify({ title: texts.done, message: channel.displayName })
      await refresh()
    },
    onError: (error: unknown) =>
      notify({
        tone: 'error',
        title: 'Error',
        message: `${texts.failed}: ${errorMessage(error)}`,
      }),
  })
  const subscribe = trpc.subscription.create.useMutation(
    outcome({ done: 'Subscribed', failed: 'Failed to subscribe' }),
  )
  const unsubscribe = trpc.subscription.delete.useMutation(
    outcome({ done: 'Unsubscribed', failed: 'Failed to unsubscribe' }),
  )
  if (!isSignedIn) {
    return (
      <Link to="/auth" className={buttonClass({ variant: 'default' }, classes.pill)}>
        Sign in to subscribe
      </Link>
    )
  }
  const isSubscribed = channel.isSubscribed === true
  const change = isSubscribed ? unsubscribe : subscribe
  return (
    <Button
      variant={isSubscribed ? 'default' : 'primary'}
      className={classes.pill}
      icon={isSubscribed && <IconCheck size={18} aria-hidden />}
      aria-pressed={isSubscribed}
      disabled={subscribe.isPending || unsubscribe.isPending}
      onClick={() => change.mutate({ channelId: channel.id })}
    >
      {isSubscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}
