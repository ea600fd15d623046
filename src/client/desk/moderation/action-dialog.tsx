import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import type { AdminAction } from '../../platform/admin-request.ts'
import { BanDialog } from './ban-dialog.tsx'
import { EditChannelDialog } from './edit-channel-dialog.tsx'
import { EditModeratedDialog } from './edit-moderated-dialog.tsx'
import { type AdminActions, useAdminActions } from './use-admin-actions.ts'

type Named = Extract<AdminAction, { id: number }>
type Plain = Exclude<Named['kind'], 'ban'>

type Words = {
  title: (name: string) => string
  text: string
  confirm: string
  pending: string
  isDanger?: boolean
  asksReason?: boolean
}

const WORDS: Record<Plain, Words> = {
  approveVideo: {
    title: (name) => `Approve "${name}"?`,
    text: 'Everyone will be able to see it, and its owner is notified.',
    confirm: 'Approve',
    pending: 'Approving...',
  },
  rejectVideo: {
    title: (name) => `Reject "${name}"?`,
    text: 'Only its owner and admins will see it. The owner can change it and send it in again.',
    confirm: 'Reject',
    pending: 'Rejecting...',
    isDanger: true,
    asksReason: true,
  },
  unhideVideo: {
    title: (name) => `Show "${name}" again?`,
    text: 'Everyone will be able to see it, and its owner is notified.',
    confirm: 'Show again',
    pending: 'Showing...',
  },
  approveComment: {
    title: () => 'Approve this comment?',
    text: 'Everyone will be able to see it.',
    confirm: 'Approve',
    pending: 'Approving...',
  },
  unhideComment: {
    title: () => 'Show this comment again?',
    text: 'Everyone will be able to see it.',
    confirm: 'Show again',
    pending: 'Showing...',
  },
  hideVideo: {
    title: (name) => `Hide "${name}"?`,
    text: 'Only its owner and admins will see it. It can be shown again.',
    confirm: 'Hide',
    pending: 'Hiding...',
    isDanger: true,
    asksReason: true,
  },
  deleteVideo: {
    title: (name) => `Delete "${name}"?`,
    text: 'The video, its comments and its files are deleted for good. Hiding can be undone; this cannot.',
    confirm: 'Delete',
    pending: 'Deleting...',
    isDanger: true,
    asksReason: true,
  },
  hideComment: {
    title: () => 'Hide this comment?',
    text: 'Only admins will see it. It can be shown again.',
    confirm: 'Hide',
    pending: 'Hiding...',
    isDanger: true,
    asksReason: true,
  },
  deleteComment: {
    title: () => 'Delete this comment?',
    text: 'It is deleted for good, with its replies.',
    confirm: 'Delete',
    pending: 'Deleting...',
    isDanger: true,
    asksReason: true,
  },
  approvePost: {
    title: () => 'Approve this post?',
    text: 'Everyone will be able to see it.',
    confirm: 'Approve',
    pending: 'Approving...',
  },
  unhidePost: {
    title: () => 'Show this post again?',
    text: 'Everyone will be able to see it.',
    confirm: 'Show again',
    pending: 'Showing...',
  },
  hidePost: {
    title: () => 'Hide this post?',
    text: 'Only admins will see it and its comments. It can be shown again.',
    confirm: 'Hide',
    pending: 'Hiding...',
    isDanger: true,
    asksReason: true,
  },
  deletePost: {
    title: () => 'Delete this post?',
    text: 'It is deleted for good, with its comments.',
    confirm: 'Delete',
    pending: 'Deleting...',
    isDanger: true,
    asksReason: true,
  },
  warn: {
    title: (name) => `Warn ${name}?`,
    text: 'They see the reason. Reports show how often someone was warned.',
    confirm: 'Warn',
    pending: 'Warning...',
    asksReason: true,
  },
  unban: {
    title: (name) => `Lift the ban on ${name}?`,
    text: 'They can sign in again, and what the ban hid is shown again.',
    confirm: 'Lift the ban',
    pending: 'Lifting...',
  },
  endSessions: {
    title: (name) => `Log ${name} out everywhere?`,
    text: 'They are logged out on all devices, and can sign in again.',
    confirm: 'Log out',
    pending: 'Logging out...',
  },
  makeAdmin: {
    title: (name) => `Make ${name} an admin?`,
    text: 'Admins can see and change everything, and make others admins.',
    confirm: 'Make admin',
    pending: 'Changing...',
  },
  unmakeAdmin: {
    title: (name) => `Remove the admin role from ${name}?`,
    text: 'They keep their account and videos.',
    confirm: 'Remove role',
    pending: 'Changing...',
    isDanger: true,
  },
}

const REASONS = ['Spam or advertising', 'Insults or harassment', 'Against the rules of this site']

type ActionDialogProps = { action: AdminAction; onClose: () => void; onDone: () => void }

/** Asks for confirmation, and for a reason where the owner gets one. */
export default function ActionDialog({ action, onClose, onDone }: ActionDialogProps) {
  const actions = useAdminActions()
  const common = { actions, onClose, presets: REASONS }
  if ('video' in action) {
    return (
      <EditModeratedDialog {...common} video={action.video} isMove={action.kind === 'moveVideo'} />
    )
  }
  if ('channel' in action) return <EditChannelDialog {...common} channel={action.channel} />
  if (action.kind === 'ban') return <BanDialog {...common} {...action} />
  const words = WORDS[action.kind]
  const confirm = async (reason: string) => {
    await perform(actions, { ...action, kind: action.kind as Plain, reason })
    onDone()
  }
  return (
    <AskDialog
      title={words.title(action.name)}
      confirmLabel={words.confirm}
      pendingLabel={words.pending}
      {...(words.isDanger && { isDanger: true })}
      {...(words.asksReason && { reasonLabel: REASON_LABEL, presets: REASONS })}
      onConfirm={confirm}
      onClose={onClose}
    >
      {words.text}
    </AskDialog>
  )
}

function perform(
  actions: AdminActions,
  { kind, id, reason }: { kind: Plain; id: number; reason: string },
): Promise<unknown> {
  switch (kind) {
    case 'warn':
      return actions.warn({ userId: id, reason })
    case 'endSessions':
      return actions.endSessions({ userId: id })
    case 'unban':
      return actions.unban({ userId: id })
    case 'makeAdmin':
    case 'unmakeAdmin':
      return actions.setAdmin({ userId: id, isAdmin: kind === 'makeAdmin' })
    default:
      return actions[kind]({ id, reason })
  }
}
