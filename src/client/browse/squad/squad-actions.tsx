import { IconDoorExit, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import { leads } from './squad-words.ts'
import { useJoining } from './use-joining.ts'

const SquadForm = lazyPart(() => import('./squad-form.tsx'))

type SquadActionsProps = { squad: Squad; isAdmin: boolean }

/** Shows what members of the squad and admins may do with it. */
export function SquadActions({ squad, isAdmin }: SquadActionsProps) {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const [asked, setAsked] = useState<'edit' | 'leave' | 'delete'>()
  const { leave } = useJoining()
  const goBack = async (title: string) => {
    notify({ title })
    await navigate({ to: '/squads' })
    await utils.invalidate()
  }
  const remove = trpc.squad.delete.useMutation({
    onSuccess: () => goBack(`${squad.name} is deleted`),
    onError: notifyFailure('The squad could not be deleted'),
  })
  const { id, name, myRole } = squad
  const items: RowMenuItem[] = [
    ...(leads(squad)
      ? [{ label: 'Edit squad', Icon: IconPencil, onPress: () => setAsked('edit') }]
      : []),
    ...(myRole
      ? [{ label: 'Leave squad', Icon: IconDoorExit, onPress: () => setAsked('leave') }]
      : []),
    ...(myRole === 'owner' || isAdmin
      ? [
          {
            ...{ label: 'Delete squad', Icon: IconTrash, isDanger: true },
            onPress: () => setAsked('delete'),
          },
        ]
      : []),
  ]
  if (items.length === 0) return null
  const close = () => setAsked(undefined)
  return (
    <>
      <RowMenu label={`Actions for ${name}`} items={items} />
      {asked === 'edit' && <SquadForm squad={squad} onClose={close} />}
      {asked === 'leave' && (
        <ConfirmDialog
          title={`Leave ${name}?`}
          confirmLabel="Leave"
          pendingLabel="Leaving..."
          isPending={leave.isPending}
          onConfirm={() => leave.mutate({ id }, { onSuccess: () => goBack(`You left ${name}`) })}
          onClose={close}
        >
          {leaveText(squad)} Your own videos stay with it. Change who can watch them in the studio.
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirmLabel="Delete squad"
          pendingLabel="Deleting..."
          isPending={remove.isPending}
          onConfirm={() => remove.mutate({ id })}
          onClose={close}
        >
          Videos and posts for it stay with their owners, and nobody else sees them. This cannot be
          undone.
        </ConfirmDialog>
      )}
    </>
  )
}

function leaveText({ myRole, memberCount }: Squad): string {
  if (memberCount === 1) return 'You are the last member: the squad is deleted.'
  return myRole === 'owner'
    ? 'The longest-serving officer becomes the owner, or the longest-serving member if there is no officer.'
    : 'You can no longer see what is for it.'
}
