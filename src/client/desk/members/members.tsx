import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '#shared/format.ts'
import type { Member } from '#shared/schemas/member.schemas.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { FilterBox } from '../filter-box.tsx'
import { ListFrame, nextPage } from '../list-frame.tsx'
import { ActionDialog, type AdminAction } from '../moderation/action-dialog.tsx'
import { MemberSubject, State } from '../moderation/subject.tsx'
import { useAdminActions } from '../moderation/use-admin-actions.ts'
import { sizeText } from '../storage/size-text.ts'
import { oneOf, useAddress } from '../use-address.ts'
import { QuotaDialog } from './quota-dialog.tsx'
import { ResetDialog } from './reset-dialog.tsx'

const SHOWN = ['all', 'admins', 'banned'] as const
const SORTS = ['newest', 'storage'] as const

type Asked =
  | { kind: 'action'; action: AdminAction }
  | { kind: 'quota'; member: Member }
  | { kind: 'reset'; member: Member }

/** Everybody with an account. */
export function Members({ viewerId }: { viewerId: number }) {
  const { search, change } = useAddress()
  const show = oneOf(SHOWN, search.show)
  const sort = oneOf(SORTS, search.sort)
  const members = trpc.member.list.useInfiniteQuery({ show, sort, q: search.q }, nextPage)
  const actions = useAdminActions()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <div className={classes.toolbar}>
        <FilterBox label="Filter by name" />
        <InlineSelect
          label="Show"
          options={[
            { value: 'all', label: 'Everybody' },
            { value: 'admins', label: 'Admins' },
            { value: 'banned', label: 'Banned' },
          ]}
          value={show}
          onChange={(value) => change({ show: value })}
        />
        <InlineSelect
          label="Sort by"
          options={[
            { value: 'newest', label: 'Newest' },
            { value: 'storage', label: 'Storage' },
          ]}
          value={sort}
          onChange={(value) => change({ sort: value })}
        />
      </div>
      <ListFrame query={members} empty={{ drawing: <PeopleDrawing />, title: 'No members found' }}>
        {(items) => (
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">Member</th>
                  <th scope="col">Joined</th>
                  <th scope="col" className={classes.number}>
                    Videos
                  </th>
                  <th scope="col" className={classes.number}>
                    Storage
                  </th>
                  <th scope="col">
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((member) => (
                  <MemberRow
                    key={member.id}
                    member={member}
                    isSelf={member.id === viewerId}
                    onAsk={setAsked}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </ListFrame>
      {asked?.kind === 'action' && (
        <ActionDialog action={asked.action} actions={actions} onClose={close} />
      )}
      {asked?.kind === 'quota' && <QuotaDialog member={asked.member} onClose={close} />}
      {asked?.kind === 'reset' && <ResetDialog member={asked.member} onClose={close} />}
    </>
  )
}

type MemberAction = 'warn' | 'ban' | 'unban' | 'endSessions' | 'makeAdmin' | 'unmakeAdmin'
type MemberRowProps = { member: Member; isSelf: boolean; onAsk: (asked: Asked) => void }

function MemberRow({ member, isSelf, onAsk }: MemberRowProps) {
  const { bannedAt, isAdmin, quotaBytes } = member
  const act = (kind: MemberAction, label: string) => (
    <Button
      size="sm"
      variant="subtle"
      aria-label={`${label}: ${member.displayName}`}
      onClick={() =>
        onAsk({ kind: 'action', action: { kind, id: member.id, name: member.displayName } })
      }
    >
      {label}
    </Button>
  )
  return (
    <tr>
      <td>
        <MemberSubject member={member}>
          {isAdmin && ' · admin'}
          {isSelf && ' · you'}
        </MemberSubject>
        {bannedAt && (
          <p className={classes.quiet}>
            <State state="banned">Banned</State> {member.banReason}. Deleted after{' '}
            {formatDate(member.deletedAfter ?? bannedAt)}.
          </p>
        )}
      </td>
      <td data-label="Joined">{formatDate(member.createdAt)}</td>
      <td data-label="Videos" className={classes.number}>
        {member.videoCount}
      </td>
      <td data-label="Storage" className={classes.number}>
        {sizeText(member.storageBytes)}
        {quotaBytes !== null && ` of ${sizeText(quotaBytes)}`}
      </td>
      <td>
        <div className={classes.actions}>
          <Button
            size="sm"
            variant="subtle"
            aria-label={`Quota of ${member.displayName}`}
            onClick={() => onAsk({ kind: 'quota', member })}
          >
            Quota
          </Button>
          {bannedAt ? (
            act('unban', 'Lift ban')
          ) : (
            <>
              <Button
                size="sm"
                variant="subtle"
                aria-label={`Reset password of ${member.displayName}`}
                onClick={() => onAsk({ kind: 'reset', member })}
              >
                Reset password
              </Button>
              {!isSelf &&
                act(isAdmin ? 'unmakeAdmin' : 'makeAdmin', isAdmin ? 'Unmake admin' : 'Make admin')}
              {!isSelf && act('endSessions', 'Sign out')}
              {!isSelf && act('warn', 'Warn')}
              {!isSelf && !isAdmin && act('ban', 'Ban')}
            </>
          )}
        </div>
      </td>
    </tr>
  )
}
