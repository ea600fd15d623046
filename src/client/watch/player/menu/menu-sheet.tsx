import type { ReactNode } from 'react'
import { Sheet } from '#client/kit/dialog/sheet.tsx'
import classes from './menu-sheet.module.css'

type MenuSheetProps = { onClose: () => void; children: ReactNode }

export default function MenuSheet({ onClose, children }: MenuSheetProps) {
  return (
    <Sheet label="Player menu" onClose={onClose}>
      <div className={classes.menu}>{children}</div>
    </Sheet>
  )
}
