import '#client/kit/styles/mantine-pages.css'
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOpenDialog } from '#client/kit/dialog/dialog.tsx'
import classes from './menu-sheet.module.css'

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
      // On the content itself the class would also reach its wrapper.
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
