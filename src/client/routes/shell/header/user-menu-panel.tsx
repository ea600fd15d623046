import { UnstyledButton } from '@mantine/core'
import { IconLogout, IconSettings, IconShield, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useLogout } from '#client/account/auth/change-session.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import ColorSchemeSwitch from './color-scheme-switch.tsx'
import classes from './user-menu-panel.module.css'

/** Fetched when the menu is opened: visitors never do. */
export default function UserMenuPanel({ user }: { user: OwnUser }) {
  const logout = useLogout()
  return (
    <>
      <div className={classes.who}>
        <UserAvatar name={user.displayName} src={user.avatarUrl} size={40} />
        <div className={classes.names}>
          <p className={classes.displayName}>{user.displayName}</p>
          <p className={classes.username}>@{user.username}</p>
        </div>
      </div>
      <div className={classes.group}>
        <Link to={`/profile/${user.id}` as string} className={classes.item}>
          <IconUserCircle size={20} stroke={1.75} aria-hidden />
          Your profile
        </Link>
        <Link to="/settings" className={classes.item}>
          <IconSettings size={20} stroke={1.75} aria-hidden />
          Settings
        </Link>
        {user.isAdmin && (
          <Link to="/admin" className={classes.item}>
            <IconShield size={20} stroke={1.75} aria-hidden />
            Admin
          </Link>
        )}
      </div>
      <ColorSchemeSwitch />
      <div className={classes.group}>
        <UnstyledButton
          className={classes.item}
          disabled={logout.isPending}
          onClick={() => logout.mutate()}
        >
          <IconLogout size={20} stroke={1.75} aria-hidden />
          {logout.isPending ? 'Logging out...' : 'Logout'}
        </UnstyledButton>
      </div>
    </>
  )
}
