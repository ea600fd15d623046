import { AUDIT_ACTIONS, type AuditAction } from '#shared/admin-limits.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { GlassDrawing } from '../../kit/drawings/glass-drawing.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { FilterBox } from '../filter-box.tsx'
import { ListFrame, nextPage } from '../list-frame.tsx'
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
  'report.resolve': 'resolved the report',
  'report.dismiss': 'dismissed the report',
  'member.edit': 'edited the channel of',
  'member.warn': 'warned',
  'member.ban': 'banned',
  'member.unban': 'lifted the ban on',
  'member.expire': 'deleted the banned account',
  'member.login': 'logged in as',
  'member.fail-login': 'refused a login of',
  'member.end-sessions': 'ended the sessions of',
  'member.setup-admin': 'made, by the setup code, an admin of',
  'member.grant-admin': 'made, by command, an admin of',
  'member.make-admin': 'made an admin of',
  'member.unmake-admin': 'took the admin role from',
  'member.set-quota': 'set the quota of',
  'member.reset-password': 'made a password link for',
  'invite.create': 'made the invite',
  'invite.revoke': 'revoked the invite',
  'site.edit': 'changed the settings',
  'site.logo': 'changed the logo',
  'site.pin': 'pinned to the home page',
  'site.check': 'checked the files',
  'backup.make': 'made the backup',
  'backup.download': 'downloaded the backup',
  'backup.delete': 'deleted the backup',
}

const isAction = (text: string | undefined): text is AuditAction =>
  AUDIT_ACTIONS.some((action) => action === text)

/** Who did what to whom, when and why. */
export function AuditLog() {
  const { search, change } = useAddress()
  const action = isAction(search.action) ? search.action : undefined
  const entries = trpc.audit.list.useInfiniteQuery({ q: search.q, action }, nextPage)
  return (
    <>
      <div className={classes.toolbar}>
        <FilterBox label="Filter by name or reason" />
        <InlineSelect
          label="Show"
          options={[
            { value: 'all', label: 'Everything' },
            ...AUDIT_ACTIONS.map((value) => ({ value, label: WORDS[value] })),
          ]}
          value={action ?? 'all'}
          onChange={(value) => change({ action: value === 'all' ? '' : value })}
        />
      </div>
      <ListFrame query={entries} empty={{ drawing: <GlassDrawing />, title: 'Nothing here yet' }}>
        {(items) => (
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who</th>
                  <th scope="col">What</th>
                  <th scope="col">Reason</th>
                </tr>
              </thead>
              <tbody>
                {items.map((entry) => (
                  <tr key={entry.id}>
                    <td>
                      <TimeAgo time={entry.createdAt} />
                    </td>
                    <td data-label="Who">{entry.actorName}</td>
                    <td>
                      {isAction(entry.action) ? WORDS[entry.action] : entry.action}{' '}
                      <strong>{entry.targetName}</strong>
                    </td>
                    <td data-label="Reason">{entry.reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </ListFrame>
    </>
  )
}
