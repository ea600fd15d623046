import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { useSession } from '../account/auth/use-session.ts'
import { DeleteAccount } from '../account/settings/delete-account.tsx'
import { ChannelPictures } from '../account/settings/picture/channel-pictures.tsx'
import { ProfileForm } from '../account/settings/profile-form.tsx'
import { SettingsSection } from '../account/settings/settings-section.tsx'
import { ChannelBanner } from '../browse/channel/channel-banner.tsx'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { useSectionInView } from '../kit/use-section-in-view.ts'
import { forgetMember } from '../platform/forget-member.ts'
import { notify } from '../platform/notify.tsx'
import { whenIdle } from '../platform/when-idle.ts'
import { trpc } from '../trpc.ts'
import classes from './settings-page.module.css'

/** The styles hide the sections below it, because the height of its form is not known. */
const waiting = <div className={classes.waiting} />
// Heights of their forms in pixels.
const forSwitch = <div style={{ height: 24 }} />
const forScheme = <div style={{ height: 46 }} />
const forSelect = <div style={{ height: 90 }} />
const forShelves = <div style={{ height: 104 }} />

const ColorSchemeSwitch = lazyPart(
  () => import('./shell/header/color-scheme-switch.tsx'),
  forScheme,
)
const HomeShelvesForm = lazyPart(
  () => import('../account/settings/home-shelves-form.tsx'),
  forShelves,
)
const MiniPlayerForm = lazyPart(
  () => import('../watch/player/mini/mini-player-form.tsx'),
  forSwitch,
)
const NotificationsForm = lazyPart(
  () => import('../account/settings/notifications-form.tsx'),
  waiting,
)
const DigestChoice = lazyPart(() => import('../account/settings/digest-choice.tsx'), waiting)
const PushSettings = lazyPart(() => import('../account/settings/push-settings.tsx'), waiting)
const PresenceForm = lazyPart(() => import('../account/settings/presence-form.tsx'), waiting)
const DefaultVisibilityForm = lazyPart(
  () => import('../account/settings/default-visibility-form.tsx'),
  forSelect,
)
const PasswordForm = lazyPart(() => import('../account/settings/password-form.tsx'), waiting)
const SessionList = lazyPart(() => import('../account/settings/session-list.tsx'), waiting)
const LinkedAccounts = lazyPart(() => import('../account/provider/linked-accounts.tsx'), waiting)
const SetPasswordForm = lazyPart(() => import('../account/provider/set-password-form.tsx'), waiting)
const TwoStepSettings = lazyPart(() => import('../account/security/two-step-settings.tsx'), waiting)
const ApiTokens = lazyPart(() => import('../account/api-token/api-tokens.tsx'), waiting)
const YourData = lazyPart(() => import('../account/settings/your-data.tsx'), waiting)

const SECTIONS = [
  { id: 'profile', title: 'Profile' },
  { id: 'pictures', title: 'Avatar and banner' },
  { id: 'appearance', title: 'Appearance' },
  { id: 'home', title: 'Home page' },
  { id: 'player', title: 'Player' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'privacy', title: 'Privacy' },
  { id: 'uploads', title: 'Uploads' },
  { id: 'password', title: 'Password' },
  { id: 'two-step', title: 'Two-step sign-in' },
  { id: 'sign-in', title: 'Linked accounts' },
  { id: 'sessions', title: 'Sessions' },
  { id: 'api-tokens', title: 'API tokens' },
  { id: 'your-data', title: 'Your data' },
  { id: 'delete', title: 'Delete my account' },
]

const SECTIONS_WITHOUT_PROVIDERS = SECTIONS.filter(({ id }) => id !== 'sign-in')

export function SettingsPage() {
  const user = useSession()
  const site = trpc.site.settings.useQuery()
  const forget = useForgetAccount()
  const { hasProviders, isUnknown, hasPassword, takesPassword, sendsMail, isPending } =
    useWaysIn(user)
  const sections = useHeldSection()
  const isBack = useLocation({ select: ({ searchStr }) => /[?&]step=provider\b/.test(searchStr) })
  // Just signed out; the router is navigating.
  if (!user) return null
  return (
    <div className={`${stack(24, 'page')} ${classes.page}`}>
      <PageTitle title="Settings" />
      <div className={classes.side}>
        <h1 className={look('pageHeading')}>Settings</h1>
        <SectionNav sections={hasProviders ? SECTIONS : SECTIONS_WITHOUT_PROVIDERS} />
      </div>
      <div ref={sections} className={`${stack(16)} ${classes.sections}`}>
        <SettingsSection id="profile" title="Profile" text={`You sign in as @${user.username}.`}>
          <ProfileForm user={user} />
        </SettingsSection>
        <SettingsSection id="pictures" title="Avatar and banner">
          <ChannelPictures
            user={user}
            maxBytes={site.data?.maxThumbnailBytes}
            banner={<ChannelBanner channel={user} />}
          />
        </SettingsSection>
        <SettingsSection
          id="appearance"
          title="Appearance"
          text="On this device. System follows the setting of your device."
        >
          <div className={classes.scheme}>
            <WhenIdle standIn={forScheme} render={() => <ColorSchemeSwitch />} />
          </div>
        </SettingsSection>
        <SettingsSection
          id="home"
          title="Home page"
          text="The shelves it starts with, on this device."
        >
          <WhenIdle standIn={forShelves} render={() => <HomeShelvesForm />} />
        </SettingsSection>
        <SettingsSection id="player" title="Player" text="For this device.">
          <WhenIdle standIn={forSwitch} render={() => <MiniPlayerForm />} />
        </SettingsSection>
        <SettingsSection
          id="notifications"
          title="Notifications"
          text="Choose what you are notified of. Admins' decisions about you and your videos are always shown."
        >
          <WhenIdle render={() => <NotificationsForm />} />
          <WhenIdle render={() => <PushSettings userId={user.id} />} />
          {sendsMail && <WhenIdle render={() => <DigestChoice />} />}
        </SettingsSection>
        <SettingsSection id="privacy" title="Privacy">
          <WhenIdle render={() => <PresenceForm user={user} />} />
        </SettingsSection>
        <SettingsSection id="uploads" title="Uploads" text="You can choose another for each video.">
          <WhenIdle standIn={forSelect} render={() => <DefaultVisibilityForm user={user} />} />
        </SettingsSection>
        <SettingsSection
          id="password"
          title="Password"
          text={describePassword({ hasPassword, takesPassword })}
        >
          {isPending && waiting}
          {!isPending && hasPassword && (
            <WhenIdle render={() => <PasswordForm username={user.username} />} />
          )}
          {!isPending && !hasPassword && takesPassword && (
            <SetPasswordForm username={user.username} />
          )}
        </SettingsSection>
        <SettingsSection
          id="two-step"
          title="Two-step sign-in"
          text="Protects your account from whoever learns your password."
        >
          <WhenIdle render={() => <TwoStepSettings username={user.username} />} />
        </SettingsSection>
        {isUnknown && waiting}
        {hasProviders && (
          <SettingsSection
            id="sign-in"
            title="Linked accounts"
            text="Accounts elsewhere that you sign in with here."
          >
            <WhenIdle render={() => <LinkedAccounts isBack={isBack} />} />
          </SettingsSection>
        )}
        <SettingsSection
          id="sessions"
          title="Sessions"
          text="Where you are signed in. Log out any that you do not recognize, and change your password."
        >
          <WhenIdle render={() => <SessionList />} />
        </SettingsSection>
        <SettingsSection
          id="api-tokens"
          title="API tokens"
          text="For programs that act for you, such as ShareX or an OBS script. They cannot reach your settings or password."
        >
          <WhenIdle render={() => <ApiTokens />} />
        </SettingsSection>
        <SettingsSection
          id="your-data"
          title="Your data"
          text="A file with your videos and what the site knows about you. It is kept for a week, and only you can download it."
        >
          <WhenIdle render={() => <YourData />} />
        </SettingsSection>
        <SettingsSection
          id="delete"
          title="Delete my account"
          tone="danger"
          text="Deletes your channel, videos, playlists, history, likes and subscriptions. Your comments on other people's videos stay, without your name. Download your data first if you want to keep it."
        >
          <DeleteAccount onDeleted={forget} />
        </SettingsSection>
      </div>
    </div>
  )
}

function describePassword(of: { hasPassword: boolean; takesPassword: boolean }): string {
  if (of.takesPassword) {
    return of.hasPassword
      ? 'A new password logs out all your other devices.'
      : 'You have none yet. With one, you can also sign in without a linked account.'
  }
  return 'Only admins sign in with a password here, so you need none.'
}

/** Members may have no password even if no provider is configured any more. */
function useWaysIn(user: OwnUser | null) {
  const ways = trpc.signIn.ways.useQuery()
  const factors = trpc.security.factors.useQuery()
  return {
    hasProviders: (ways.data?.providers.length ?? 0) > 0,
    /** Whether `hasProviders` is still loading. */
    isUnknown: ways.isPending,
    hasPassword: factors.data?.hasPassword !== false,
    /** Whether a password signs the member in. */
    takesPassword: user?.isAdmin === true || ways.data?.passwordsFor !== 'admins',
    sendsMail: ways.data?.sendsMail === true,
    isPending: factors.isPending,
  }
}

/** Not router links, whose active state depends on the address. */
function SectionNav({ sections }: { sections: typeof SECTIONS }) {
  const current = useSectionInView(sections)
  const navigate = useNavigate()
  const open = (event: MouseEvent, hash: string) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ to: '.', hash, replace: true })
  }
  return (
    <nav className={classes.nav} aria-label="Settings">
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          className={classes.link}
          aria-current={id === current ? 'location' : undefined}
          onClick={(event) => open(event, id)}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

type WhenIdleProps = { standIn?: ReactNode; render: () => ReactNode }

/** Loads the code of a form after the rest of the page has been shown, or at once if the address names a section. */
function WhenIdle({ standIn = waiting, render }: WhenIdleProps) {
  const [isIdle, setIdle] = useState(location.hash !== '')
  useEffect(() => void whenIdle().then(() => setIdle(true)), [])
  return isIdle ? render() : standIn
}

const READS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Keeps the section that the address names in place while sections above it grow, until the first input of the reader. */
function useHeldSection() {
  const sections = useRef<HTMLDivElement>(null)
  const hash = useLocation({ select: (place) => place.hash })
  useLayoutEffect(() => {
    if (hash === '' || !sections.current) return
    const observer = new ResizeObserver(() => document.getElementById(hash)?.scrollIntoView())
    const end = () => observer.disconnect()
    observer.observe(sections.current)
    for (const kind of READS) addEventListener(kind, end, { passive: true })
    return () => {
      end()
      for (const kind of READS) removeEventListener(kind, end)
    }
  }, [hash])
  return sections
}

/** Reloads as a visitor. */
function useForgetAccount() {
  const router = useRouter()
  const utils = trpc.useUtils()
  return async (days: number) => {
    forgetMember()
    utils.auth.currentUser.setData(undefined, null)
    await router.navigate({ to: '/' })
    notify(
      days === 0
        ? { title: 'Account deleted', message: 'Everything you had here has been deleted.' }
        : {
            title: `Your account will be deleted in ${days} days`,
            message: 'Sign in before then to keep it.',
          },
    )
    await utils.invalidate()
  }
}
