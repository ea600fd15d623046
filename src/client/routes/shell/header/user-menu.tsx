import { PopoverButton } from '#client/kit/dialog/popover-button.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
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
