import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconEyeOff } from '@tabler/icons-react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import {
  MEMBER_SHELVES,
  type MemberShelf,
  setShelfHidden,
} from '#client/platform/hidden-shelves.ts'
import { notify } from '#client/platform/notify.tsx'
import type { MaxColumns } from '../video/list/video-grid.tsx'
import { ShelfOf } from './shelf-of.tsx'
import type { Shelf } from './use-member-shelves.ts'

type MemberShelvesProps = { shelves: Shelf[]; maxColumns?: MaxColumns | undefined }

export default function MemberShelves({ shelves, maxColumns }: MemberShelvesProps) {
  return shelves.map(({ name, videos }) => (
    <ShelfOf
      key={name}
      title={MEMBER_SHELVES[name]}
      action={<HideButton name={name} />}
      {...{ videos, maxColumns }}
    />
  ))
}

function HideButton({ name }: { name: MemberShelf }) {
  const title = MEMBER_SHELVES[name]
  const hide = () => {
    setShelfHidden(name, true)
    const show = () => {
      setShelfHidden(name, false)
      notifications.clean()
    }
    notify({
      title: `'${title}' is hidden`,
      message: 'You can bring it back in Settings, too.',
      action: (
        <Button variant="default" onClick={show}>
          Undo
        </Button>
      ),
    })
  }
  return (
    <IconButton variant="subtle" size="lg" aria-label={`Hide '${title}'`} onClick={hide}>
      <IconEyeOff size={20} stroke={1.75} aria-hidden />
    </IconButton>
  )
}
