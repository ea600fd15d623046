import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { useSession } from '../account/auth/use-session.ts'
import { DeleteAccount } from '../account/settings/delete-account.tsx'
import { HomeShelvesForm } from '../account/settings/home-shelves-form.tsx'
import { NotificationsForm } from '../account/settings/notifications-form.tsx'
import { PasswordForm } from '../account/settings/password-form.tsx'
import { ChannelPictures } from '../account/settings/picture/channel-pictures.tsx'
import { PresenceForm } from '../account/settings/presence-form.tsx'
import { ProfileForm } from '../account/settings/profile-form.tsx'
import { SessionList } from '../account/settings/session-list.tsx'
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
import ColorSchemeSwitch from './shell/header/color-scheme-switch.tsx'

const MiniPlayerForm = lazyPart(async () => ({
  default: (await import('../watch/player/mini/mini-player-form.tsx')).MiniPlayerForm,
}))
const DigestChoice = lazyPart(async () => ({
  default: (await import('../account/settings/digest-choice.tsx')).DigestChoice,
}))
const DefaultVisibilityForm = lazyPart(async () => ({
  default: (await import('../account/settings/default-visibility-form.tsx')).DefaultVisibilityForm,
}))
const LinkedAccounts = lazyPart(async () => ({
  default: (await import('../account/provider/linked-accounts.tsx')).LinkedAccounts,
}))
const SetPasswordForm = lazyPart(async () => ({
  default: (await import('../account/provider/set-password-form.tsx')).SetPasswordForm,
}))
const TwoStepSettings = lazyPart(async () => ({
  default: (await import('../account/security/two-step-settings.tsx')).TwoStepSettings,
}))
const ApiTokens = lazyPart(async () => ({
  default: (await import('../account/api-token/api-tokens.tsx')).ApiTokens,
}))

const YourData = lazyPart(async () => ({
  default: (await import('../account/settings/your-data.tsx')).YourData,
}))

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
  const { hasProviders, hasPassword, sendsMail, isPending } = useWaysIn()
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
      <div className={stack(16)}>
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
            <ColorSchemeSwitch />
          </div>
        </SettingsSection>
        <SettingsSection
          id="home"
          title="Home page"
          text="The shelves it starts with, on this device."
        >
          <HomeShelvesForm />
        </SettingsSection>
        <SettingsSection id="player" title="Player" text="For this device.">
          <WhenIdle height={72} render={() => <MiniPlayerForm />} />
        </SettingsSection>
        <SettingsSection
          id="notifications"
          title="Notifications"
          text="Choose what the bell tells you. Admins' decisions about you and your videos are always shown."
        >
          <NotificationsForm />
          {sendsMail && <WhenIdle height={0} render={() => <DigestChoice />} />}
        </SettingsSection>
        <SettingsSection id="privacy" title="Privacy">
          <PresenceForm user={user} />
        </SettingsSection>
        <SettingsSection id="uploads" title="Uploads" text="You can choose another for each video.">
          <WhenIdle height={84} render={() => <DefaultVisibilityForm user={user} />} />
        </SettingsSection>
        <SettingsSection
          id="password"
          title="Password"
          text={
            hasPassword
              ? 'A new password logs out all your other devices.'
              : 'You have none yet. With one, you can also sign in without a linked account.'
          }
        >
          {/* Hidden until it is known which form to show. */}
          <div style={isPending ? { visibility: 'hidden' } : undefined}>
            {hasPassword ? (
              <PasswordForm username={user.username} />
            ) : (
              <SetPasswordForm username={user.username} />
            )}
          </div>
        </SettingsSection>
        <SettingsSection
          id="two-step"
          title="Two-step sign-in"
          text="Protects your account from whoever learns your password."
        >
          <WhenIdle height={240} render={() => <TwoStepSettings username={user.username} />} />
        </SettingsSection>
        {hasProviders && (
          <SettingsSection
            id="sign-in"
            title="Linked accounts"
            text="Accounts elsewhere that you sign in with here."
          >
            <WhenIdle height={72} render={() => <LinkedAccounts isBack={isBack} />} />
          </SettingsSection>
        )}
        <SettingsSection
          id="sessions"
          title="Sessions"
          text="Where you are signed in. Log out any that you do not recognize, and change your password."
        >
          <SessionList />
        </SettingsSection>
        <SettingsSection
          id="api-tokens"
          title="API tokens"
          text="For programs that act for you, such as ShareX or an OBS script. They cannot reach your settings or password."
        >
          <WhenIdle height={80} render={() => <ApiTokens />} />
        </SettingsSection>
        <SettingsSection
          id="your-data"
          title="Your data"
          text="A file with what the site knows about you, and your videos and clips as they are stored. It is kept for a week, and only you can download it."
        >
          <WhenIdle height={72} render={() => <YourData />} />
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

/** Members may have no password even if no provider is configured any more. */
function useWaysIn() {
  const ways = trpc.signIn.ways.useQuery()
  const factors = trpc.security.factors.useQuery()
  return {
    hasProviders: (ways.data?.providers.length ?? 0) > 0,
    hasPassword: factors.data?.hasPassword !== false,
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

type WhenIdleProps = {
  /** Pixels of the form, which are reserved until it loads. */ height: number
  render: () => ReactNode
}

/** Loads the code of a form after the rest of the page has been shown. */
function WhenIdle({ height, render }: WhenIdleProps) {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => void whenIdle().then(() => setIdle(true)), [])
  return <div style={{ minHeight: height }}>{isIdle && render()}</div>
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
