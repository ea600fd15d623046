import {
  IconAlertTriangle,
  IconBan,
  IconDatabase,
  IconKey,
  IconLockOpen,
  IconShield,
  IconShieldOff,
} from '@tabler/icons-react'
import { useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import type { RowMenuItem } from '../../kit/menu/row-menu-item.tsx'
import { type AdminAction, requestAdminAction } from '../../platform/admin-request.ts'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { DeskTable } from '../desk-table.tsx'
import { MemberSubject, StateLabel } from '../moderation/subject.tsx'
import { sizeText } from '../storage/size-text.ts'
import { oneOf, useAddress } from '../use-address.ts'
import { QuotaDialog } from './quota-dialog.tsx'

const SignInDialog = lazyPart(() => import('./sign-in-dialog.tsx'))

const SHOWN = ['all', 'admins', 'banned'] as const
const SORTS = ['newest', 'storage'] as const

type OpenDialog = { kind: 'quota' | 'sign-in'; member: Member }

export function Members({ viewerId }: { viewerId: number }) {
  const { search, change } = useAddress()
  const show = oneOf(SHOWN, search.show)
  const sort = oneOf(SORTS, search.sort)
  const members = trpc.member.list.useInfiniteQuery({ show, sort, q: search.q }, nextPage)
  const [asked, setAsked] = useState<OpenDialog>()
  const close = () => setAsked(undefined)
  return (
    <>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by name" />
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
      <DeskTable
        query={members}
        empty={{ drawing: <PeopleDrawing />, title: 'No members found' }}
        columns={[
          {
            title: 'Member',
            cell: (member) => <Account member={member} isSelf={member.id === viewerId} />,
          },
          { title: 'Joined', cell: ({ createdAt }) => formatDate(createdAt) },
          { title: 'Videos', isNumber: true, cell: ({ videoCount }) => videoCount },
          {
            title: 'Storage',
            isNumber: true,
            cell: ({ storageBytes, quotaBytes }) =>
              sizeText(storageBytes) + (quotaBytes === null ? '' : ` of ${sizeText(quotaBytes)}`),
          },
        ]}
        menu={(member) => (
          <RowMenu
            label={`Actions for ${member.displayName}`}
            items={itemsOf(member, { isSelf: member.id === viewerId, onAsk: setAsked })}
          />
        )}
      />
      {asked?.kind === 'quota' && <QuotaDialog member={asked.member} onClose={close} />}
      {asked?.kind === 'sign-in' && (
        <SignInDialog member={asked.member} isSelf={asked.member.id === viewerId} onClose={close} />
      )}
    </>
  )
}

type MemberAction = Extract<AdminAction, { id: number }>['kind']
type ItemsOptions = { isSelf: boolean; onAsk: (asked: OpenDialog) => void }

function Account({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { bannedAt, banReason, deletedAfter, deletesAt, isAdmin } = member
  return (
    <>
      <MemberSubject member={member}>
        {isAdmin && ' · admin'}
        {isSelf && ' · you'}
      </MemberSubject>
      {bannedAt && (
        <p className={`${classes.belowName} ${look('muted')}`}>
          <StateLabel state="banned">Banned</StateLabel> {banReason}.
          {deletedAfter && ` Deleted after ${formatDate(deletedAfter)}.`}
        </p>
      )}
      {deletesAt && (
        <p className={`${classes.belowName} ${look('muted')}`}>
          To be deleted on {formatDate(deletesAt)}.
        </p>
      )}
    </>
  )
}

function itemsOf(member: Member, { isSelf, onAsk }: ItemsOptions): RowMenuItem[] {
  const { id, displayName: name, isAdmin, bannedAt } = member
  const act = (kind: Exclude<MemberAction, 'editVideo' | 'moveVideo'>) => () =>
    requestAdminAction({ kind, id, name })
  const ask = (kind: OpenDialog['kind']) => () => onAsk({ kind, member })
  const quota = { label: 'Set quota', Icon: IconDatabase, onPress: ask('quota') }
  if (bannedAt) return [quota, { label: 'Lift the ban', Icon: IconLockOpen, onPress: act('unban') }]
  const signIn = { label: 'Sign-in', Icon: IconKey, onPress: ask('sign-in') }
  if (isSelf) return [quota, signIn]
  const role = isAdmin
    ? { label: 'Remove admin role', Icon: IconShieldOff, onPress: act('unmakeAdmin') }
    : { label: 'Make admin', Icon: IconShield, onPress: act('makeAdmin') }
  return [
    quota,
    signIn,
    role,
    { label: 'Warn', Icon: IconAlertTriangle, onPress: act('warn') },
    ...(isAdmin ? [] : [{ label: 'Ban', Icon: IconBan, onPress: act('ban'), isDanger: true }]),
  ]
}
