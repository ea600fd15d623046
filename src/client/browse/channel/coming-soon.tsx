import type { ReactNode } from 'react'
import { EmptyState } from '#client/kit/list/empty-state.tsx'

type ComingSoonProps = {
  what: string
  drawing: ReactNode
  /** What its owner, who can change that, reads. */
  ownText?: string | false
}

/** A tab of a channel that has nothing to show yet. */
export function ComingSoon({ what, drawing, ownText }: ComingSoonProps) {
  return (
    <EmptyState drawing={drawing} title={`No ${what} available`}>
      {ownText || 'This feature is coming soon.'}
    </EmptyState>
  )
}
