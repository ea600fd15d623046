import type { OwnUser } from '#shared/user.schemas.ts'
import { lazyPart } from '../kit/lazy-part.tsx'
import { PopoverButton } from '../kit/popover-button.tsx'
import { UserAvatar } from '../kit/user-avatar.tsx'
import classes from './user-menu.module.css'

type UserMenuProps = { user: OwnUser; buttonClassName: string | undefined }

const UserMenuPanel = lazyPart(() => import('./user-menu-panel.tsx'))

export function UserMenu({ user, buttonClassName }: UserMenuProps) {
  return (
    <PopoverButton
      label="User menu"
      button={<UserAvatar name={user.displayName} src={user.avatarUrl} size={32} />}
      buttonClassName={buttonClassName}
      panelClassName={classes.menu}
      onPoint={UserMenuPanel.preload}
    >
      <UserMenuPanel user={user} />
    </PopoverButton>
  )
}
