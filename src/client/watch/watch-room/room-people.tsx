import '#client/kit/styles/mantine-pages.css'
import { Button, Switch } from '@mantine/core'
import { IconCrown, IconEye, IconHandStop, IconUserMinus } from '@tabler/icons-react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { RoomPerson, WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import type { RoomRole } from '#shared/watch-rooms.ts'
import { useRoom, useRoomState } from './room-context.ts'

const ROLE_WORDS: Record<RoomRole, string> = {
  host: 'Host',
  steers: 'May steer',
  watches: 'Watches',
}

type RoomPeopleProps = { room: WatchRoom; viewerId: number | undefined }

export function RoomPeople({ room, viewerId }: RoomPeopleProps) {
  const people = useRoomState((state) => state.people)
  const guests = useRoomState((state) => state.guests)
  const isHost = useRoomState(({ role }) => role === 'host')
  return (
    <div className={column(16)}>
      {isHost && <GuestSwitch room={room} />}
      <ul className={column(8)} aria-label="People in the room">
        {people.map((person) => (
          <Person key={person.id} person={person} isOwn={person.id === viewerId} isHost={isHost} />
        ))}
      </ul>
      {room.removed.length > 0 && <Removed room={room} />}
      {guests > 0 && (
        <p className={look('note')}>{guests === 1 ? 'And one guest' : `And ${guests} guests`}</p>
      )}
    </div>
  )
}

function GuestSwitch({ room }: { room: WatchRoom }) {
  const { token, allowsGuests } = room
  const utils = trpc.useUtils()
  const { mutate, isPending, variables } = trpc.watchRoom.edit.useMutation({
    onSuccess: () => utils.watchRoom.get.invalidate({ token }),
    onError: notifyFailure('The room stays as it was'),
  })
  return (
    <Switch
      label="Guests may watch"
      description="Whoever has the address, without an account. They see only videos that are open to all."
      checked={isPending ? variables.allowsGuests : allowsGuests}
      onChange={({ currentTarget }) => mutate({ token, allowsGuests: currentTarget.checked })}
    />
  )
}

/** Only the host sees it. */
function Removed({ room: { token, removed } }: { room: WatchRoom }) {
  const { mutate } = useRemoval()
  return (
    <section className={column(8)} aria-labelledby="removed-people">
      <h2 id="removed-people" className={look('note')}>
        Removed from this room
      </h2>
      <ul className={column(8)}>
        {removed.map(({ id, displayName, avatarUrl }) => (
          <li key={id} className={row(12)}>
            <UserAvatar name={displayName} src={avatarUrl} size={36} />
            <p className={look('oneLine', 'grow', 'shrink')}>{displayName}</p>
            <Button
              variant="default"
              size="sm"
              aria-label={`Let in again, ${displayName}`}
              onClick={() => mutate({ token, userId: id, isRemoved: false })}
            >
              Let in again
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const useRemoval = () =>
  trpc.watchRoom.removePerson.useMutation({ onError: notifyFailure('The room stays as it was') })

type PersonProps = { person: RoomPerson; isOwn: boolean; isHost: boolean }

function Person({ person, isOwn, isHost }: PersonProps) {
  const { id, displayName, avatarUrl, role } = person
  const { token } = useRoom()
  const { mutate } = trpc.watchRoom.setRole.useMutation({
    onError: notifyFailure('The roles stay as they were'),
  })
  const removal = useRemoval()
  const become = (next: RoomRole) => () => mutate({ token, userId: id, role: next })
  const items = [
    role === 'steers'
      ? { label: 'Let only watch', Icon: IconEye, onPress: become('watches') }
      : { label: 'Let steer', Icon: IconHandStop, onPress: become('steers') },
    { label: 'Make host', Icon: IconCrown, onPress: become('host') },
    {
      label: 'Remove from the room',
      Icon: IconUserMinus,
      isDanger: true,
      onPress: () => removal.mutate({ token, userId: id, isRemoved: true }),
    },
  ]
  return (
    <li className={row(12)}>
      <UserAvatar name={displayName} src={avatarUrl} size={36} />
      <div className={look('grow', 'shrink')}>
        <p className={look('oneLine', 'strong')}>
          {displayName}
          {isOwn && ' (you)'}
        </p>
        <p className={look('oneLine', 'note')}>{ROLE_WORDS[role]}</p>
      </div>
      {isHost && !isOwn && <RowMenu label={`Role of ${displayName}`} items={items} />}
    </li>
  )
}
