import { BAN_REVERSIBLE_DAYS } from '#shared/admin-limits.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import type { AdminActions } from './use-admin-actions.ts'

/** Something that is done only after it was asked for. */
export type AdminAction =
  | { kind: 'hideVideo' | 'deleteVideo'; id: number; name: string }
  | { kind: 'hideComment' | 'deleteComment'; id: number; name: string }
  | { kind: 'warn' | 'ban'; id: number; name: string }
  | { kind: 'unban' | 'endSessions' | 'makeAdmin' | 'unmakeAdmin'; id: number; name: string }

type Words = {
  title: (name: string) => string
  text: string
  confirm: string
  pending: string
  isDanger?: boolean
  asksReason?: boolean
}

const WORDS: Record<AdminAction['kind'], Words> = {
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
    text: 'The video, its comments and its files go for good. Hiding it can be taken back.',
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
    text: 'It goes for good, with its replies.',
    confirm: 'Delete',
    pending: 'Deleting...',
    isDanger: true,
    asksReason: true,
  },
  warn: {
    title: (name) => `Warn ${name}?`,
    text: 'They are told the reason. Reports show how often somebody was warned.',
    confirm: 'Warn',
    pending: 'Warning...',
    asksReason: true,
  },
  ban: {
    title: (name) => `Ban ${name}?`,
    text: `They are signed out everywhere, and their videos, comments and channel are hidden at once. It can be taken back for ${BAN_REVERSIBLE_DAYS} days; then the account and all it made is deleted.`,
    confirm: 'Ban',
    pending: 'Banning...',
    isDanger: true,
    asksReason: true,
  },
  unban: {
    title: (name) => `Lift the ban on ${name}?`,
    text: 'They can sign in again, and what the ban hid is shown again.',
    confirm: 'Lift the ban',
    pending: 'Lifting...',
  },
  endSessions: {
    title: (name) => `Sign ${name} out everywhere?`,
    text: 'All their sessions end at once. They can sign in again.',
    confirm: 'Sign out',
    pending: 'Signing out...',
  },
  makeAdmin: {
    title: (name) => `Make ${name} an admin?`,
    text: 'Admins see and change everything here, and can make others admin.',
    confirm: 'Make admin',
    pending: 'Changing...',
  },
  unmakeAdmin: {
    title: (name) => `Take the admin role from ${name}?`,
    text: 'They keep their account and videos.',
    confirm: 'Take the role',
    pending: 'Changing...',
    isDanger: true,
  },
}

const REASONS = ['Spam or advertising', 'Insults or harassment', 'Against the rules of this site']

type ActionDialogProps = { action: AdminAction; actions: AdminActions; onClose: () => void }

/** Asks before an action, and does it. */
export function ActionDialog({ action, actions, onClose }: ActionDialogProps) {
  const words = WORDS[action.kind]
  return (
    <AskDialog
      title={words.title(action.name)}
      confirmLabel={words.confirm}
      pendingLabel={words.pending}
      {...(words.isDanger && { isDanger: true })}
      {...(words.asksReason && { reasonLabel: 'Reason, for them', presets: REASONS })}
      onConfirm={(reason) => perform(actions, { action, reason })}
      onClose={onClose}
    >
      {words.text}
    </AskDialog>
  )
}

function perform(
  actions: AdminActions,
  input: { action: AdminAction; reason: string },
): Promise<unknown> {
  const { action, reason } = input
  const { id } = action
  switch (action.kind) {
    case 'warn':
    case 'ban':
      return actions[action.kind]({ userId: id, reason })
    case 'endSessions':
      return actions.endSessions({ userId: id })
    case 'unban':
      return actions.unban({ userId: id })
    case 'makeAdmin':
    case 'unmakeAdmin':
      return actions.setAdmin({ userId: id, isAdmin: action.kind === 'makeAdmin' })
    default:
      return actions[action.kind]({ id, reason })
  }
}
