import type { ReactNode } from 'react'
import { EmptyState } from '#client/kit/list/empty-state.tsx'

type ComingSoonProps = {
  what: string
  drawing: ReactNode
  /** For the owner. */
  ownText?: string | false
}

/** Empty tab. */
export function ComingSoon({ what, drawing, ownText }: ComingSoonProps) {
  return (
    <EmptyState drawing={drawing} title={`No ${what} available`}>
      {ownText || 'This feature is coming soon.'}
    </EmptyState>
  )
}
