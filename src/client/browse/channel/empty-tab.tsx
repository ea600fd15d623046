import type { ReactNode } from 'react'
import { EmptyState } from '#client/kit/list/empty-state.tsx'

type EmptyTabProps = {
  what: string
  drawing: ReactNode
  /** For the owner; others read that it comes soon. */
  ownText?: string | false
}

export function EmptyTab({ what, drawing, ownText }: EmptyTabProps) {
  return (
    <EmptyState drawing={drawing} title={`No ${what} available`}>
      {ownText || 'This feature is coming soon.'}
    </EmptyState>
  )
}
