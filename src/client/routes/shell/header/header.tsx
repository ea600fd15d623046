import { useHotkeys } from '@mantine/hooks'
import {
  IconBell,
  IconContrast,
  IconMenu2,
  IconSearch,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useSession } from '#client/account/auth/use-session.ts'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { PopoverButton } from '#client/kit/dialog/popover-button.tsx'
import { row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { Mark } from '#client/kit/mark.tsx'
import { hasOpenDialog } from '#client/platform/has-open-dialog.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSite } from '#client/platform/use-site.ts'
import { whenIdle } from '#client/platform/when-idle.ts'
import { SidebarButton } from '../sidebar/sidebar-button.tsx'
import classes from './header.module.css'
import { SearchBox } from './search-box.tsx'
import { UserMenu } from './user-menu.tsx'

const ColorSchemeSwitch = lazyPart(() => import('./color-scheme-switch.tsx'))
const MenuDrawer = lazyPart(() => import('../sidebar/menu-drawer.tsx'))
/** A drawing until loaded; not requested by the user, so a failure is not reported. */
const NotificationBell = lazyPart(
  async () => {
    await whenIdle()
    return import('#client/account/notification/notification-bell.tsx')
  },
  <BellToCome />,
  <BellToCome />,
)

export function Header({ isWatching }: { isWatching: boolean }) {
  const signIn = useSignInLink()
  const user = useSession()
  const query = useLocation({
    select: ({ pathname, search }) => (pathname === '/search' ? queryOf(search) : ''),
  })
  const [isSearching, setSearching] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const searchInput = useRef<HTMLInputElement>(null)
  const startSearch = () => {
    if (hasOpenDialog()) return
    // Without room in the header it replaces it.
    if (searchInput.current?.checkVisibility()) searchInput.current.select()
    else setSearching(true)
  }
  useHotkeys([['/', startSearch]])
  return (
    <header className={classes.header} data-searching={isSearching || undefined}>
      <div className={`${classes.start} ${row(4)}`}>
        {!isWatching && (
          <SidebarButton className={`${classes.iconButton} ${classes.sidebarButton}`} />
        )}
        <IconButton
          className={`${classes.iconButton} ${isWatching ? '' : classes.menu}`}
          aria-label="Open menu"
          aria-haspopup="dialog"
          onClick={() => setMenuOpen(true)}
        >
          <IconMenu2 aria-hidden />
        </IconButton>
        <Logo />
      </div>
      <div className={`${classes.search} ${row(4)}`}>
        <SearchBox
          key={`${query} ${isSearching}`}
          query={query}
          autoFocus={isSearching}
          inputRef={searchInput}
          onLeave={() => setSearching(false)}
        />
        <IconButton
          className={`${classes.iconButton} ${classes.small}`}
          aria-label="Close search"
          onClick={() => setSearching(false)}
        >
          <IconX aria-hidden />
        </IconButton>
      </div>
      <div className={`${classes.end} ${row(4, 'end')}`}>
        <IconButton
          className={`${classes.iconButton} ${classes.small}`}
          aria-label="Search"
          onClick={() => setSearching(true)}
        >
          <IconSearch aria-hidden />
        </IconButton>
        {user ? (
          <>
            <Link
              to="/upload"
              className={classes.iconButton}
              aria-label="Upload"
              data-tooltip="Upload"
            >
              <IconUpload aria-hidden />
            </Link>
            <NotificationBell buttonClassName={classes.iconButton} />
            <UserMenu user={user} buttonClassName={classes.iconButton} />
          </>
        ) : (
          <>
            <PopoverButton
              label="Appearance"
              button={<IconContrast aria-hidden />}
              buttonClassName={classes.iconButton}
            >
              <ColorSchemeSwitch />
            </PopoverButton>
            <LinkButton {...signIn} variant="default" className={classes.signIn}>
              Sign In
            </LinkButton>
          </>
        )}
      </div>
      {isMenuOpen && <MenuDrawer onClose={() => setMenuOpen(false)} />}
    </header>
  )
}

function BellToCome() {
  return (
    <span className={classes.iconButton}>
      <IconBell stroke={1.75} aria-hidden />
    </span>
  )
}

const queryOf = (search: object) => ('q' in search && typeof search.q === 'string' ? search.q : '')

export function Logo() {
  const { name = 'Clutch', logoUrl = null } = useSite() ?? {}
  return (
    <Link
      to="/"
      className={row(8, 'inline', 'padX8', 'rounded', 'control', 'textColor', 'noUnderline')}
      aria-label={`${name}, home`}
    >
      {logoUrl ? (
        <img className={classes.siteLogo} src={logoUrl} alt="" height={28} />
      ) : (
        <Mark size={28} />
      )}
      <span className={classes.wordmark}>{name}</span>
    </Link>
  )
}
