import { IconShieldCheck } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import classes from './approval-note.module.css'

const rootLook = row(12, 'stretch', 'below8', 'pad12', 'rounded', 'softInfo', 'size13')

/** Shown on sites whose uploads need an admin's approval. */
export function ApprovalNote() {
  const { data: user } = trpc.auth.currentUser.useQuery()
  const isNeeded = useSite()?.uploadsNeedApproval === true
  // The server approves the uploads of admins at once.
  if (!isNeeded || !user || user.isAdmin) return null
  return (
    <p className={`${classes.root} ${rootLook}`}>
      <IconShieldCheck size={20} stroke={1.75} aria-hidden />
      <span>
        New videos need an admin's approval. Until then, only you and the admins can see yours.
      </span>
    </p>
  )
}
