import type { OwnUser } from '#shared/user.schemas.ts'
import { Avatar } from '../components/avatar.tsx'
import { Popover } from '../components/popover.tsx'
import { lazyPiece } from '../lib/lazy-piece.tsx'
import classes from './user-menu.module.css'

type UserMenuProps = { user: OwnUser; buttonClassName: string | undefined }

const UserMenuPanel = lazyPiece(() => import('./user-menu-panel.tsx'))

export function UserMenu({ user, buttonClassName }: UserMenuProps) {
  return (
    <Popover
      label="User menu"
      button={<Avatar name={user.displayName} src={user.avatarUrl} size={32} />}
      buttonClassName={buttonClassName}
      panelClassName={classes.menu}
    >
      {() => <UserMenuPanel user={user} />}
    </Popover>
  )
}
