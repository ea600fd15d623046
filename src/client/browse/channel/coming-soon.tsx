import type { ReactNode } from 'react'
import { EmptyState } from '#client/kit/list/empty-state.tsx'

/** A tab of a channel that has nothing to show yet. */
export function ComingSoon({ what, drawing }: { what: string; drawing: ReactNode }) {
  return (
    <EmptyState drawing={drawing} title={`No ${what} available`}>
      This feature is coming soon.
    </EmptyState>
  )
}
