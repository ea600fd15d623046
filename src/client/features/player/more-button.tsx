import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Menu, MenuItem } from './menu/menu.tsx'
import { useOutsidePress } from './menu/use-outside-press.ts'
import classes from './share-button.module.css'

type MoreButtonProps = {
  items: readonly { label: string; Icon: TablerIcon; onPress: () => void }[]
}

/** What is done with a video now and then, in a menu at the end of its row. */
export function MoreButton({ items }: MoreButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const rootRef = useRef<HTMLDivElement>(null)
  const openerRef = useRef<HTMLButtonElement>(null)
  useOutsidePress(rootRef, () => setOpen(false))
  const closeAndReturn = () => {
    setOpen(false)
    openerRef.current?.focus()
  }
  return (
    <div className={classes.root} ref={rootRef}>
      <Button
        ref={openerRef}
        variant="default"
        className={classes.more}
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconDots size={20} stroke={1.75} aria-hidden />
      </Button>
      {isOpen && (
        <div className={classes.menu}>
          <Menu label="More actions" onClose={closeAndReturn}>
            {items.map(({ label, Icon, onPress }) => (
              <MenuItem
                key={label}
                icon={<Icon size={20} stroke={1.75} aria-hidden />}
                label={label}
                onPress={() => {
                  closeAndReturn()
                  onPress()
                }}
              />
            ))}
          </Menu>
        </div>
      )}
    </div>
  )
}
