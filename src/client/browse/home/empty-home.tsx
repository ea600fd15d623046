import {
  IconChevronRight,
  IconPalette,
  IconScissors,
  IconShield,
  IconUpload,
  IconUserPlus,
  type Icon as TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { coverLink } from '#client/kit/card/card.tsx'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import ClosingSight from '#client/kit/drawings/closing-sight.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import classes from './empty-home.module.css'

/** Shown on a site without videos, in the place of Tonight. */
export default function EmptyHome() {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { data: host, isPending } = trpc.explore.host.useQuery()
  const site = useSite()
  // The facts would push the button down as they come.
  if (isPending || !site) return null
  return (
    <div className={stack(24)}>
      <section className={classes.card} aria-labelledby="about-title">
        <div className={classes.picture}>
          <ClosingSight className={classes.sight} />
        </div>
        <div className={classes.words}>
          <p role="status" className={look('note')}>
            No videos found
          </p>
          <h2 id="about-title" className={classes.title}>
            {site.name}
          </h2>
          {site.tagline && <p>{site.tagline}</p>}
          <p className={look('muted')}>{nextText(viewer)}</p>
          <div className={look('above12')}>
            <NextAct isMember={Boolean(viewer)} isOpen={site.registration === 'open'} />
          </div>
          {(host || site.hasRules) && (
            <ul className={`${wrapped([0, 24])} ${classes.facts}`}>
              {host && host.id !== viewer?.id && (
                <li>
                  Run by{' '}
                  <Link
                    to="/profile/$id"
                    params={{ id: String(host.id) }}
                    className={look('infoColor')}
                  >
                    {host.displayName}
                  </Link>
                </li>
              )}
              {site.hasRules && (
                <li>
                  <Link to="/rules" className={look('infoColor')}>
                    Rules of this site
                  </Link>
                </li>
              )}
            </ul>
          )}
        </div>
      </section>
      <ul className={classes.steps}>
        {viewer?.isAdmin ? <AdminSteps /> : <Features isMember={Boolean(viewer)} />}
      </ul>
    </div>
  )
}

function nextText(viewer: { isAdmin: boolean } | null | undefined): string {
  if (!viewer) return 'Nobody has shared a match here yet. Create an account and be the first.'
  return viewer.isAdmin
    ? 'Your site is ready. It opens with the first video.'
    : 'Be the first to share a match here.'
}

function NextAct({ isMember, isOpen }: { isMember: boolean; isOpen: boolean }) {
  if (isMember) return <LinkButton to="/upload">Upload a video</LinkButton>
  if (!isOpen) return <LinkButton to="/auth">Sign in</LinkButton>
  return (
    <LinkButton to="/auth" search={{ tab: 'register' }}>
      Create an account
    </LinkButton>
  )
}

function AdminSteps() {
  return (
    <>
      <Step icon={IconPalette} text="Its colour, who may register, and where it is reached.">
        <Link to="/admin/$section" params={{ section: 'welcome' }} className={coverLink}>
          Name the site
        </Link>
      </Step>
      <Step icon={IconUserPlus} text="An invite is a link. You decide how many may use it.">
        <Link
          to="/admin/$section"
          params={{ section: 'members' }}
          search={{ show: 'invites' }}
          className={coverLink}
        >
          Invite people
        </Link>
      </Step>
      <Step icon={IconShield} text="It has its own page, and videos that only its members see.">
        <Link to="/squads" className={coverLink}>
          Make a squad
        </Link>
      </Step>
    </>
  )
}

function Features({ isMember }: { isMember: boolean }) {
  return (
    <>
      <Step icon={IconUpload} text="From any recorder. It plays seconds after the upload.">
        Share a recording
      </Step>
      <Step
        icon={IconScissors}
        text="Press 'Clip' while a video plays to keep its last 15 seconds."
      >
        Clip the best seconds
      </Step>
      <Step icon={IconShield} text="It has its own page, and videos that only its members see.">
        {isMember ? (
          <Link to="/squads" className={coverLink}>
            Play as a squad
          </Link>
        ) : (
          'Play as a squad'
        )}
      </Step>
    </>
  )
}

type StepProps = {
  icon: TablerIcon
  text: string
  /** A text, or a link that covers the step. */
  children: ReactNode
}

function Step({ icon: Icon, text, children }: StepProps) {
  const isLink = typeof children !== 'string'
  return (
    <li className={classes.step} data-link={isLink || undefined}>
      <Icon size={24} stroke={1.75} aria-hidden />
      <div>
        <h3 className={look('label')}>{children}</h3>
        <p className={look('note')}>{text}</p>
      </div>
      {isLink && <IconChevronRight size={20} stroke={1.75} aria-hidden />}
    </li>
  )
}
