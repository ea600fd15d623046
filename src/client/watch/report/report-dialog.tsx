import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'

/** The reported object: exactly one of these ids. */
export type ReportTarget =
  | { videoId: number }
  | { commentId: number }
  | { channelId: number }
  | { postId: number }

type ReportDialogProps = {
  target: ReportTarget
  /** Noun for the texts, such as 'video'. */
  noun: 'video' | 'comment' | 'channel' | 'post'
  onClose: () => void
}

const REASONS = ['Spam or advertising', 'Insults or harassment', 'Somebody else’s work', 'Not safe']

/** Sends a report to the admins. */
export default function ReportDialog({ target, noun, onClose }: ReportDialogProps) {
  const report = trpc.report.create.useMutation({
    onSuccess: () => notify({ title: 'Reported', message: 'An admin will look at it.' }),
  })
  return (
    <AskDialog
      title={`Report this ${noun}?`}
      confirmLabel="Report"
      pendingLabel="Reporting..."
      reasonLabel="What is wrong with it?"
      presets={REASONS}
      onConfirm={(reason) => report.mutateAsync({ ...target, reason })}
      onClose={onClose}
    >
      Only admins see your report.
    </AskDialog>
  )
}
