import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { type SubscribableChannel, useSubscription } from './use-subscription.ts'

type SubscribeButtonProps = {
  channel: SubscribableChannel
  isSignedIn: boolean
  /** Id of the channel's name. */
  describedBy?: string
}

/** Not for one's own channel. */
export function SubscribeButton({ channel, isSignedIn, describedBy }: SubscribeButtonProps) {
  const signIn = useSignInLink()
  const { isSubscribed, toggle } = useSubscription(channel)
  if (!isSignedIn) {
    return (
      <LinkButton {...signIn} variant="default" radius="xl">
        Sign in to subscribe
      </LinkButton>
    )
  }
  return (
    <Button
      variant={isSubscribed ? 'default' : 'filled'}
      radius="xl"
      leftSection={isSubscribed && <IconCheck size={18} aria-hidden />}
      aria-pressed={isSubscribed}
      aria-describedby={describedBy}
      onClick={toggle}
    >
      {isSubscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}
