import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../components/button.tsx'
import classes from './subscribe-button.module.css'
import { type SubscribableChannel, useSubscription } from './use-subscription.ts'

type SubscribeButtonProps = {
  channel: SubscribableChannel
  isSignedIn: boolean
  /** The id of what names the channel, where several buttons are on a page. */
  describedBy?: string
}

/** Follows a channel, or stops following it. Leave it out on one's own channel. */
export function SubscribeButton({ channel, isSignedIn, describedBy }: SubscribeButtonProps) {
  const { isSubscribed, toggle } = useSubscription(channel)
  if (!isSignedIn) {
    return (
      <Link to="/auth" className={buttonClass({ variant: 'default' }, classes.pill)}>
        Sign in to subscribe
      </Link>
    )
  }
  return (
    <Button
      variant={isSubscribed ? 'default' : 'primary'}
      className={classes.pill}
      icon={isSubscribed && <IconCheck size={18} aria-hidden />}
      aria-pressed={isSubscribed}
      aria-describedby={describedBy}
      onClick={toggle}
    >
      {isSubscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}
