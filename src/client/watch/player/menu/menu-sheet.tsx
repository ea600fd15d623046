import '#client/kit/styles/mantine-pages.css'
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOpenDialog } from '#client/kit/dialog/dialog.tsx'
import classes from './menu-sheet.module.css'

/** A menu of the player on a phone: a sheet at the lower edge of the screen. */
export default function MenuSheet({
  onClose,
  children,
}: {
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Drawer.Root
      position="bottom"
      // On the content itself its class would be given to what lies around it too.
      classNames={{ content: classes.sheet }}
      onClose={onClose}
      {...useOpenDialog()}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Player menu" aria-labelledby={undefined}>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  )
}
