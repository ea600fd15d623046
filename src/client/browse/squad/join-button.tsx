import { Button } from '@mantine/core'
import { look } from '#client/kit/layout/layout.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import { isKeptOut } from './squad-words.ts'
import { useJoining } from './use-joining.ts'

type JoinButtonProps = {
  squad: Squad
  /** Fills the button as the main action of the page. */
  isMain?: boolean
}

/** Lets viewers who are not members join, ask to join, or withdraw their request. */
export function JoinButton({ squad, isMain = false }: JoinButtonProps) {
  const { join, withdraw } = useJoining()
  const { id, name, isInvited, hasAsked, joining } = squad
  const isPending = join.isPending || withdraw.isPending
  const withdrawNow = () => withdraw.mutate({ id })
  if (hasAsked) {
    return (
      <Button
        variant="default"
        disabled={isPending}
        aria-label={`Withdraw your request to join ${name}`}
        onClick={withdrawNow}
      >
        Withdraw request
      </Button>
    )
  }
  if (isKeptOut(squad)) {
    return <p className={look('note')}>You were removed. A leader can invite you again.</p>
  }
  const word = isInvited || joining === 'open' ? 'Join' : 'Ask to join'
  return (
    <>
      <Button
        variant={isMain ? 'filled' : 'default'}
        disabled={isPending}
        aria-label={`${word} ${name}`}
        onClick={() => join.mutate({ id })}
      >
        {word}
      </Button>
      {isInvited && (
        <Button
          variant="default"
          disabled={isPending}
          aria-label={`Decline the invitation to ${name}`}
          onClick={withdrawNow}
        >
          Decline
        </Button>
      )}
    </>
  )
}
