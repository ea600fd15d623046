import { useState } from 'react'
import { AskDialog } from '../../components/ask-dialog.tsx'
import { notify } from '../../lib/notify.ts'
import { trpc } from '../../trpc.ts'

/** What can be reported; exactly one of them. */
export type ReportTarget = { videoId: number } | { commentId: number } | { channelId: number }

type ReportButtonProps = {
  target: ReportTarget
  /** What it is, for the dialog: 'video'. */
  noun: 'video' | 'comment' | 'channel'
  className?: string | undefined
  /** The words or the icon of the button. */
  children: React.ReactNode
}

const REASONS = ['Spam or advertising', 'Insults or harassment', 'Somebody else’s work', 'Not safe']

/** Tells the people who run the site that something is wrong. */
export function ReportButton({ target, noun, className, children }: ReportButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const report = trpc.report.create.useMutation({
    onSuccess: () =>
      notify({ title: 'Reported', message: 'The people who run this site will look at it.' }),
  })
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
      {isAsking && (
        <AskDialog
          title={`Report this ${noun}?`}
          confirmLabel="Report"
          pendingLabel="Reporting..."
          reasonLabel="What is wrong with it?"
          presets={REASONS}
          onConfirm={(reason) => report.mutateAsync({ ...target, reason })}
          onClose={() => setAsking(false)}
        >
          Only the people who run this site see your report.
        </AskDialog>
      )}
    </>
  )
}
