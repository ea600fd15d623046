import { Button, UnstyledButton } from '@mantine/core'
import { IconLogout, IconSettings, IconShield, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLogout } from '#client/account/auth/change-session.ts'
import { useWaiting } from '#client/account/notification/use-waiting.ts'
import { stoppingUploads } from '#client/create/upload/queue/tray/tray-request.ts'
import { look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import ColorSchemeSwitch from './color-scheme-switch.tsx'
import classes from './user-menu-panel.module.css'

/** Loaded when the menu opens. */
export default function UserMenuPanel({ user }: { user: OwnUser }) {
  const logout = useLogout()
  const waiting = useWaiting().count
  const [stopping, setStopping] = useState(0)
  const press = () => {
    const count = stoppingUploads()
    if (count > 0) setStopping(count)
    else logout.mutate()
  }
  return (
    <>
      <div className={row(12, 'pad16', 'ruleBelow')}>
        <UserAvatar name={user.displayName} src={user.avatarUrl} size={40} />
        <div className={classes.names}>
          <p className={look('strong', 'oneLine')}>{user.displayName}</p>
          <p className={look('note', 'oneLine')}>@{user.username}</p>
        </div>
      </div>
      <div className={`${classes.group} ${look('pad8')}`}>
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
            {waiting > 0 && (
              <span className={classes.count}>
                {waiting}
                <span className="visually-hidden"> waiting</span>
              </span>
            )}
          </Link>
        )}
      </div>
      <ColorSchemeSwitch />
      <div className={`${classes.group} ${look('pad8')}`}>
        {stopping > 0 ? (
          <div role="alert" className={look('pad8')}>
            <p>
              {stopping === 1 ? '1 upload stops.' : `${stopping} uploads stop.`} What has arrived is
              kept for when you choose the files again.
            </p>
            <div className={row(8, 'end', 'stretch', 'above12')}>
              <Button size="sm" variant="default" onClick={() => setStopping(0)}>
                Stay
              </Button>
              <Button
                size="sm"
                color="pulse"
                disabled={logout.isPending}
                onClick={() => logout.mutate()}
              >
                {logout.isPending ? 'Logging out...' : 'Log out'}
              </Button>
            </div>
          </div>
        ) : (
          <UnstyledButton className={classes.item} disabled={logout.isPending} onClick={press}>
            <IconLogout size={20} stroke={1.75} aria-hidden />
            {logout.isPending ? 'Logging out...' : 'Logout'}
          </UnstyledButton>
        )}
      </div>
    </>
  )
}
