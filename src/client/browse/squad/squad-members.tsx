import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCrown, IconUserMinus, IconX } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { MemberPicker } from '#client/kit/control/member-picker.tsx'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import { Panel } from '#client/kit/panel/panel.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { showLinked } from '#client/platform/show-linked.ts'
import { trpc } from '#client/trpc.ts'
import { memberOfHash } from '#shared/comment-hash.ts'
import type { Squad, SquadCandidate, SquadMember } from '#shared/schemas/squad.schemas.ts'
import classes from './squad-members.module.css'
import { leads, ROLE_WORDS } from './squad-words.ts'

type SquadMembersProps = { squad: Squad; viewerId: number | undefined }

export default function SquadMembers({ squad, viewerId }: SquadMembersProps) {
  const { id } = squad
  const isLeader = leads(squad)
  const members = trpc.squad.members.useQuery({ id })
  const requests = trpc.squad.requests.useQuery({ id }, { enabled: isLeader })
  const invites = trpc.squad.invites.useQuery({ id }, { enabled: isLeader })
  // Waits for all queries so that nothing moves when the last response arrives.
  const isPending = members.isPending || (isLeader && (requests.isPending || invites.isPending))
  if (isPending) return <MembersSkeleton count={squad.memberCount} />
  return (
    <div className={`${stack(0)} ${classes.members}`}>
      {isLeader && <Requests squad={squad} people={requests.data ?? []} />}
      {isLeader && <Invites squad={squad} members={members.data ?? []} open={invites.data ?? []} />}
      {members.isError && !members.data && (
        <LoadError error={members.error} onRetry={() => void members.refetch()} />
      )}
      {members.data && (
        <ul className={classes.list} aria-label="Members">
          {members.data.map((member) => (
            <Person key={member.id} person={member} about={ROLE_WORDS[member.role]}>
              <MemberMenu squad={squad} member={member} viewerId={viewerId} />
            </Person>
          ))}
        </ul>
      )}
    </div>
  )
}

type PersonProps = {
  person: Pick<SquadMember, 'id' | 'username' | 'displayName' | 'avatarUrl'>
  about?: string
  /** By the page's address. */
  isLinked?: boolean
  children?: ReactNode
}

function Person({ person, about, isLinked = false, children }: PersonProps) {
  const { id, username, displayName, avatarUrl } = person
  return (
    <li
      ref={isLinked ? showLinkedPerson : passFocusOnRemoval}
      tabIndex={isLinked ? -1 : undefined}
      className={`${row(12)} ${classes.person}`}
      data-linked={isLinked || undefined}
    >
      <UserAvatar name={displayName} src={avatarUrl} size={44} />
      <div className={look('grow', 'shrink')}>
        <Link
          to="/profile/$id"
          params={{ id: String(id) }}
          className={look('oneLine', 'strong', 'textColor', 'block')}
        >
          {displayName}
        </Link>
        <p className={look('oneLine', 'note')}>
          @{username}
          {about && ` · ${about}`}
        </p>
      </div>
      {children}
    </li>
  )
}

function showLinkedPerson(item: HTMLElement | null) {
  showLinked(item)
  return passFocusOnRemoval(item)
}

/** Shows one row per member, but at most 12. */
function MembersSkeleton({ count }: { count: number }) {
  const rows = Array.from({ length: Math.min(count, 12) }, (_, index) => index)
  return (
    <div className={classes.list} role="status" aria-label="Loading members">
      {rows.map((index) => (
        <div key={index} className={`${row(12)} ${classes.person}`} aria-hidden="true">
          <span className={`${classes.face} ${look('skeletonGround')}`} />
          <div className={look('grow')}>
            <TextSkeleton width="30%" />
            <TextSkeleton width="20%" />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Returns options that reload all squad data, because the header depends on the members too. */
function useSquadChange() {
  const utils = trpc.useUtils()
  return {
    onError: notifyFailure('That did not work'),
    onSettled: () => utils.squad.invalidate(),
  }
}

type MemberMenuProps = { squad: Squad; member: SquadMember; viewerId: number | undefined }

function MemberMenu({ squad, member, viewerId }: MemberMenuProps) {
  const [asked, setAsked] = useState<'remove' | 'hand-over'>()
  const options = useSquadChange()
  const setRole = trpc.squad.setRole.useMutation(options)
  const remove = trpc.squad.removeMember.useMutation(options)
  const handOver = trpc.squad.handOver.useMutation(options)
  const isOwner = squad.myRole === 'owner'
  const mayRemove = isOwner || (squad.myRole === 'officer' && member.role === 'member')
  if (!mayRemove || member.id === viewerId || member.role === 'owner') return null
  const who = { id: squad.id, userId: member.id }
  const isOfficer = member.role === 'officer'
  const role = isOfficer ? 'member' : 'officer'
  const ofOwner: RowMenuItem[] = [
    {
      label: isOfficer ? 'Make a member' : 'Make an officer',
      Icon: isOfficer ? IconArrowDown : IconArrowUp,
      onPress: () => setRole.mutate({ ...who, role }),
    },
    { label: 'Hand the squad over', Icon: IconCrown, onPress: () => setAsked('hand-over') },
  ]
  const close = () => setAsked(undefined)
  return (
    <>
      <RowMenu
        label={`Actions for ${member.displayName}`}
        variant="subtle"
        items={[
          ...(isOwner ? ofOwner : []),
          {
            label: 'Remove from the squad',
            Icon: IconUserMinus,
            isDanger: true,
            onPress: () => setAsked('remove'),
          },
        ]}
      />
      {asked === 'remove' && (
        <ConfirmDialog
          title={`Remove ${member.displayName}?`}
          confirmLabel="Remove"
          pendingLabel="Removing..."
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(who, { onSuccess: close })}
          onClose={close}
        >
          They can no longer see what is for {squad.name}. Their own videos stay with it.
        </ConfirmDialog>
      )}
      {asked === 'hand-over' && (
        <ConfirmDialog
          title={`Make ${member.displayName} the owner?`}
          confirmLabel="Hand over"
          pendingLabel="Handing over..."
          isPending={handOver.isPending}
          onConfirm={() => handOver.mutate(who, { onSuccess: close })}
          onClose={close}
        >
          You become an officer. Only they can give the squad back.
        </ConfirmDialog>
      )}
    </>
  )
}

type RequestsProps = { squad: Squad; people: readonly SquadCandidate[] }

function Requests({ squad, people }: RequestsProps) {
  const linkedId = useLocation({ select: ({ hash }) => memberOfHash(hash) })
  const answer = trpc.squad.answer.useMutation(useSquadChange())
  if (people.length === 0) return null
  const reply = (userId: number, accepts: boolean) =>
    answer.mutate({ id: squad.id, userId, accepts })
  return (
    <Panel title="Requests to join">
      <ul className={classes.list}>
        {people.map((person) => (
          <Person key={person.id} person={person} isLinked={person.id === linkedId}>
            <Button
              size="sm"
              variant="default"
              disabled={answer.isPending}
              aria-label={`Accept ${person.displayName}`}
              onClick={() => reply(person.id, true)}
            >
              Accept
            </Button>
            <IconButton
              aria-label={`Decline ${person.displayName}`}
              hint="Decline"
              disabled={answer.isPending}
              onClick={() => reply(person.id, false)}
            >
              <IconX size={20} stroke={1.75} aria-hidden />
            </IconButton>
          </Person>
        ))}
      </ul>
    </Panel>
  )
}

type InvitesProps = {
  squad: Squad
  members: readonly SquadMember[]
  open: readonly SquadCandidate[]
}

function Invites({ squad, members, open }: InvitesProps) {
  const options = useSquadChange()
  const invite = trpc.squad.invite.useMutation(options)
  const withdraw = trpc.squad.withdrawInvite.useMutation(options)
  return (
    <Panel title="Invite people" about="They get a notification and can join with one press.">
      <MemberPicker
        label="Find a member"
        without={[...members, ...open].map(({ id }) => id)}
        onPick={({ username }) => invite.mutate({ id: squad.id, usernames: [username] })}
      />
      {open.length > 0 && (
        <ul className={classes.list} aria-label="Invited">
          {open.map((person) => (
            <Person key={person.id} person={person} about="invited">
              <IconButton
                aria-label={`Take back the invitation of ${person.displayName}`}
                hint="Take back"
                onClick={() => withdraw.mutate({ id: squad.id, userId: person.id })}
              >
                <IconX size={20} stroke={1.75} aria-hidden />
              </IconButton>
            </Person>
          ))}
        </ul>
      )}
    </Panel>
  )
}
