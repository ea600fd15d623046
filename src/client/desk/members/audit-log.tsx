import { Link } from '@tanstack/react-router'
import { row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { AUDIT_ACTIONS, type AuditAction } from '#shared/admin-limits.ts'
import type { AuditEntry } from '#shared/schemas/desk/audit.schemas.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { GlassDrawing } from '../../kit/drawings/glass-drawing.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { DeskTable } from '../desk-table.tsx'
import { useAddress } from '../use-address.ts'

const WORDS: Record<AuditAction, string> = {
  'video.approve': 'approved the video',
  'video.reject': 'rejected the video',
  'video.hide': 'hid the video',
  'video.unhide': 'showed the video again',
  'video.edit': 'edited the video',
  'video.resubmit': 'sent in again the video',
  'video.delete': 'deleted the video',
  'video.cancel-work': 'cancelled the work on',
  'video.retry-work': 'retried the work on',
  'video.free-original': 'removed the original of',
  'comment.approve': 'approved the comment',
  'comment.hide': 'hid the comment',
  'comment.unhide': 'showed the comment again',
  'comment.delete': 'deleted the comment',
  'post.approve': 'approved the post',
  'post.hide': 'hid the post',
  'post.unhide': 'showed the post again',
  'post.delete': 'deleted the post',
  'squad.delete': 'deleted the squad',
  'clip.delete': 'deleted the clip',
  'report.resolve': 'resolved the report',
  'report.dismiss': 'dismissed the report',
  'member.edit': 'edited the channel of',
  'member.warn': 'warned',
  'member.ban': 'banned',
  'member.unban': 'lifted the ban on',
  'member.expire': 'deleted the banned account',
  'member.login': 'signed in as',
  'member.fail-login': 'refused a sign-in of',
  'member.end-sessions': 'ended the sessions of',
  'member.setup-admin': 'made, by the setup code, an admin of',
  'member.grant-admin': 'made, by command, an admin of',
  'member.make-admin': 'made an admin of',
  'member.unmake-admin': 'took the admin role from',
  'member.set-quota': 'set the quota of',
  'member.reset-password': 'made a password link for',
  'member.revoke-tokens': 'revoked the API tokens of',
  'member.import': 'imported videos for',
  'member.link': 'linked an account of an identity provider to',
  'member.unlink': 'unlinked an account of an identity provider from',
  'provider.create': 'added the identity provider',
  'provider.edit': 'changed the identity provider',
  'provider.delete': 'removed the identity provider',
  'member.change-second-step': 'changed the two-step sign-in of',
  'member.reset-second-step': 'reset the two-step sign-in of',
  'invite.create': 'made the invite',
  'invite.revoke': 'revoked the invite',
  'site.edit': 'changed the settings',
  'site.edit-sign-in': 'changed how members sign in',
  'site.logo': 'changed the logo',
  'site.pin': 'pinned to the home page',
  'site.check': 'checked the files',
  'backup.make': 'made the backup',
  'backup.download': 'downloaded the backup',
  'backup.delete': 'deleted the backup',
  'backup.prove': 'tried to restore',
  'webhook.create': 'added the webhook',
  'webhook.edit': 'changed the webhook',
  'webhook.renew-secret': 'renewed the secret of the webhook',
  'webhook.delete': 'removed the webhook',
  'worker.create': 'added the worker',
  'worker.drain': 'drained the worker',
  'worker.resume': 'gave work again to',
  'worker.end': 'ended the worker',
}

const isAction = (text: string | undefined): text is AuditAction =>
  AUDIT_ACTIONS.some((action) => action === text)

export function AuditLog() {
  const { search, change } = useAddress()
  const action = isAction(search.action) ? search.action : undefined
  const withLogins = action !== undefined || search.action === 'all'
  const entries = trpc.audit.list.useInfiniteQuery({ q: search.q, action, withLogins }, nextPage)
  return (
    <>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by name or reason" />
        <InlineSelect
          label="Show"
          options={[
            { value: '', label: 'Everything but sign-ins' },
            { value: 'all', label: 'Everything' },
            ...AUDIT_ACTIONS.map((value) => ({ value, label: WORDS[value] })),
          ]}
          value={action ?? (withLogins ? 'all' : '')}
          onChange={(value) => change({ action: value })}
        />
      </div>
      <DeskTable
        query={entries}
        empty={{ drawing: <GlassDrawing />, title: 'Nothing here yet' }}
        columns={[
          { title: 'When', cell: ({ createdAt }) => <TimeAgo time={createdAt} /> },
          {
            title: 'Who',
            cell: ({ actorId, actorName }) => <Named kind="member" id={actorId} name={actorName} />,
          },
          {
            title: 'What',
            isUntitled: true,
            cell: ({ action, targetKind, targetId, targetName }) => (
              <>
                {isAction(action) ? WORDS[action] : action}{' '}
                <strong>
                  <Named kind={targetKind} id={targetId} name={targetName} />
                </strong>
              </>
            ),
          },
          { title: 'Reason', isWide: true, cell: ({ reason }) => reason },
        ]}
      />
    </>
  )
}

/** The name at the time, as a link; marks deleted subjects. */
function Named({
  kind,
  id,
  name,
}: {
  kind: AuditEntry['targetKind']
  id: number | null
  name: string
}) {
  if (id === null || (kind !== 'member' && kind !== 'video')) return name
  const to = kind === 'member' ? '/profile/$id' : '/video/$id'
  return (
    <Link to={to} params={{ id: String(id) }}>
      {name}
    </Link>
  )
}
