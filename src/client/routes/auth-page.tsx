import '../kit/styles/mantine-pages.css'
import { Button, Tabs } from '@mantine/core'
import { IconMessages, IconRadar2, IconUpload } from '@tabler/icons-react'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { beside, column, look } from '#client/kit/layout/layout.ts'
import type { SignInWays } from '#shared/schemas/sign-in.schemas.ts'
import { LoginForm, type LoginStage } from '../account/auth/login-form.tsx'
import { PosterWall } from '../account/auth/poster-wall.tsx'
import { RegisterForm } from '../account/auth/register-form.tsx'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { useSite } from '../platform/use-site.ts'
import { whenIdle } from '../platform/when-idle.ts'
import { trpc } from '../trpc.ts'
import classes from './auth-page.module.css'
import { Logo } from './shell/header/header.tsx'

const route = getRouteApi('/bare/auth')

const BLURBS = [
  {
    Icon: IconUpload,
    title: 'Upload Videos',
    text: 'Share your content with advanced customization options',
  },
  {
    Icon: IconMessages,
    title: 'Build Community',
    text: 'Bring people together with comments, likes and subscriptions',
  },
  {
    Icon: IconRadar2,
    title: 'Discover Content',
    text: 'Find your next favorite with a recommendation system',
  },
]

// Heights in pixels: a provider button with its margin, the checkbox, and the line between buttons and form.
const BUTTON_STEP = 56
const CHECKBOX = 24
const OR_LINE = 71

const ClosingSight = lazyPart(
  async () => {
    await whenIdle()
    return import('../kit/drawings/closing-sight.tsx')
  },
  null,
  null,
)
const InvitationCard = lazyPart(
  () => import('../account/auth/invitation-card.tsx'),
  <div className={classes.invitation} />,
)
const ProviderButtons = lazyPart(async () => ({
  default: (await import('../account/provider/provider-buttons.tsx')).ProviderButtons,
}))
const ProviderOutcome = lazyPart(
  () => import('../account/provider/provider-outcome.tsx'),
  <PageSpinner />,
)

export function AuthPage() {
  const { tab = 'login', next } = route.useSearch()
  const registration = route.useLoaderData()
  const setupCode = useLocation({ select: ({ state }) => state.setupCode })
  const invite = useLocation({ select: ({ state }) => state.inviteCode })
  // Identity providers and the registration end their first step with one of these fragments.
  const hash = useLocation({ select: (place) => place.hash })
  const begun = hash === 'second-factor' || hash === 'leaving' ? hash : 'first'
  const site = useSite()
  const ways = trpc.signIn.ways.useQuery()
  const step = useLocation({
    select: ({ searchStr }) => new URLSearchParams(searchStr).get('step'),
  })
  const invitation = registration?.invitation
  const isUsedUp =
    invite !== undefined &&
    registration?.registration === 'open' &&
    !registration.needsAdmin &&
    !registration.inviteIsOpen
  const navigate = route.useNavigate()
  // Hidden until the ways are known: buttons that appear later would move the form.
  const isHidden = ways.isPending && ways.failureCount === 0
  const hasBegun = tab === 'login' && begun !== 'first'
  const tabs = (
    <Tabs
      keepMounted={false}
      className={classes.tabs}
      data-hidden={isHidden || undefined}
      value={tab}
      onChange={(value) =>
        void navigate({
          search: (old) => ({ ...old, tab: value === 'register' ? 'register' : undefined }),
          state: true,
          replace: true,
        })
      }
    >
      {tab === 'register' && invitation && <InvitationCard invitation={invitation} />}
      {tab === 'register' && isUsedUp && (
        <p className={look('below16', 'pad12x16', 'outlined', 'muted')} role="status">
          This invitation can no longer be used. You can register without one.
        </p>
      )}
      <h1 className={look('below24', 'size28')}>
        {tab === 'login' ? 'Welcome back' : 'Create your account'}
      </h1>
      <Tabs.List grow mb="lg" display={hasBegun ? 'none' : undefined}>
        <Tabs.Tab value="login">Login</Tabs.Tab>
        <Tabs.Tab value="register">Register</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="login">
        <Ways ways={ways.data} next={next} begun={begun} signsIn>
          {(props) => <LoginForm begun={begun} {...props} />}
        </Ways>
        {!hasBegun && (
          <p className={`${classes.switch} ${look('above24', 'muted', 'centredText')}`}>
            Don't have an account?{' '}
            <Link to="/auth" search={(old) => ({ ...old, tab: 'register' })} state replace>
              Register
            </Link>
          </p>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="register">
        <Ways ways={setupCode === undefined ? ways.data : undefined} next={next} invite={invite}>
          {() => <RegisterForm registration={registration} invite={invite} setupCode={setupCode} />}
        </Ways>
        <p className={`${classes.switch} ${look('above24', 'muted', 'centredText')}`}>
          Already have an account?{' '}
          <Link to="/auth" search={({ tab: _, ...old }) => old} state replace>
            Login
          </Link>
        </p>
      </Tabs.Panel>
    </Tabs>
  )
  return (
    <div className={classes.page}>
      <PageTitle title={tab === 'login' ? 'Login' : 'Register'} />
      <aside className={`${column(32)} ${classes.pitch}`}>
        <PosterWall nothing={<ClosingSight className={classes.art} standIn={null} />} />
        <Logo />
        <p className={classes.tagline}>{site?.tagline ?? 'Your video sharing platform'}</p>
        {/* Visitors of such a site never see the home page, which begins with this sentence. */}
        {site?.audience === 'members' && site.welcome !== '' && (
          <p className={`${classes.welcome} ${look('muted')}`}>{site.welcome}</p>
        )}
        <ul className={classes.blurbs}>
          {BLURBS.map(({ Icon, title, text }) => (
            <li key={title} className={`${classes.blurb} ${beside(16)}`}>
              <Icon size={24} stroke={1.75} aria-hidden />
              <div>
                <h2 className={look('heading')}>{title}</h2>
                <p className={look('muted')}>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </aside>
      <main className={classes.main}>
        {step === 'provider' ? (
          <ProviderOutcome className={classes.tabs}>{tabs}</ProviderOutcome>
        ) : (
          tabs
        )}
      </main>
    </div>
  )
}

type WaysProps = {
  ways: SignInWays | undefined
  next: string | undefined
  invite?: string | undefined
  begun?: LoginStage
  /** Whether the form signs in. Its checkbox for `rememberMe` then also applies to the provider buttons. */
  signsIn?: boolean
  children: (props: Omit<ComponentProps<typeof LoginForm>, 'begun'>) => ReactNode
}

/**
 * Provider buttons above or below the form. If only admins have passwords, the form to sign in opens on
 * request, and there is no form to register. After a sign-in has begun in the form, only the form is shown.
 */
function Ways({ ways, next, invite, begun = 'first', signsIn = false, children }: WaysProps) {
  const [isOpen, setOpen] = useState(false)
  const [stage, setStage] = useState(begun)
  const [rememberMe, setRememberMe] = useState(false)
  const { providers = [], providersFirst, passwordsFor } = ways ?? {}
  const isOffered = providers.length > 0 && stage === 'first'
  const isForAdmins = passwordsFor === 'admins'
  const isOnly = isOffered && isForAdmins && !isOpen
  const hasCheckbox = isOnly || !signsIn
  // The height of the buttons is reserved while they load, so that the form does not move.
  const height =
    providers.length * BUTTON_STEP + (hasCheckbox ? CHECKBOX : 0) + (isOnly ? 0 : OR_LINE)
  const remembering = { rememberMe, onRememberMe: setRememberMe }
  const buttons = {
    ...{ providers, next, invite, hasCheckbox, ...remembering },
    standIn: <div style={{ height }} />,
  }
  const isAbove = providersFirst || isForAdmins
  return (
    <>
      {isOffered && isAbove && <ProviderButtons {...buttons} form={isOnly ? undefined : 'below'} />}
      {isOnly && signsIn && (
        <Button
          className={look('above12')}
          variant="subtle"
          fullWidth
          onClick={() => setOpen(true)}
        >
          Other ways to sign in
        </Button>
      )}
      {!isOnly && children({ onStage: setStage, ...remembering })}
      {isOffered && !isAbove && <ProviderButtons {...buttons} form="above" />}
    </>
  )
}
