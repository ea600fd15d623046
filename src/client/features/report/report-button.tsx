import { type ReactNode, useState } from 'react'
import { lazyPiece } from '../../lib/lazy-piece.tsx'
import type { ReportTarget } from './report-dialog.tsx'

const ReportDialog = lazyPiece(() => import('./report-dialog.tsx'))

type ReportButtonProps = {
  target: ReportTarget
  /** What it is, for the dialog: 'video'. */
  noun: 'video' | 'comment' | 'channel'
  className?: string | undefined
  /** The words or the icon of the button. */
  children: ReactNode
}

/** Tells the people who run the site that something is wrong. */
export function ReportButton({ target, noun, className, children }: ReportButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={`Report this ${noun}`}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {isAsking && <ReportDialog target={target} noun={noun} onClose={() => setAsking(false)} />}
    </>
  )
}
