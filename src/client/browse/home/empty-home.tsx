import {
  IconScissors,
  IconShield,
  IconUpload,
  IconUserPlus,
  type Icon as TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { InviteButton } from '#client/kit/admin/invite-button.tsx'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import classes from './empty-home.module.css'

/** Shown on a site without videos. */
export default function EmptyHome() {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { data: host, isPending } = trpc.explore.host.useQuery()
  const site = useSite()
  // The facts would push the buttons down as they come.
  if (isPending) return null
  return (
    <div className={classes.page}>
      {site && (
        <section
          className={`${classes.about} ${stack(8, 'ruleBelow', 'breakWords', 'centredText')}`}
          aria-labelledby="about-title"
        >
          <h2 id="about-title" className={look('size28')}>
            {site.name}
          </h2>
          {site.tagline && <p className={look('muted', 'smallHeading')}>{site.tagline}</p>}
          {(host || site.hasRules) && (
            <ul className={`${wrapped([0, 24], 'middle')} ${classes.facts}`}>
              {host && (
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
        </section>
      )}
      <div role="status" className={`${stack(4, 'centredText')} ${classes.status}`}>
        <p className={look('heading', 'display')}>No videos found</p>
        <p className={look('muted')}>
          {viewer
            ? 'Be the first to share a match here.'
            : 'Nobody has shared a match here yet. Create an account and be the first.'}
        </p>
      </div>
      <ol className={classes.steps}>
        <Step
          icon={IconUpload}
          title="Share a recording"
          text="From any recorder. It plays seconds after the upload."
        >
          {viewer ? (
            <LinkButton to="/upload">Upload a video</LinkButton>
          ) : site?.registration === 'open' ? (
            <LinkButton to="/auth" search={{ tab: 'register' }}>
              Create an account
            </LinkButton>
          ) : (
            <LinkButton to="/auth">Sign in</LinkButton>
          )}
        </Step>
        <Step
          icon={IconScissors}
          title="Clip the best seconds"
          text="Press 'Clip' while a video plays to keep its last 15 seconds."
        />
        {viewer?.isAdmin ? (
          <Step
            icon={IconUserPlus}
            title="Invite your friends"
            text="An invite is a link. You decide how many may use it, and until when."
          >
            <InviteButton />
          </Step>
        ) : (
          <Step
            icon={IconShield}
            title="Play as a squad"
            text="A squad has its own page, and videos that only its members see."
          >
            {viewer && (
              <LinkButton to="/squads" variant="default">
                Find a squad
              </LinkButton>
            )}
          </Step>
        )}
      </ol>
      {viewer?.isAdmin && (
        <LinkButton
          to="/admin/$section"
          params={{ section: 'welcome' }}
          variant="subtle"
          className={classes.checklist}
        >
          Open the set-up checklist
        </LinkButton>
      )}
    </div>
  )
}

type StepProps = { icon: TablerIcon; title: string; text: string; children?: ReactNode }

function Step({ icon: Icon, title, text, children }: StepProps) {
  return (
    <li className={`${stack(8, 'framed')} ${classes.step}`}>
      <Icon size={24} stroke={1.75} aria-hidden className={classes.icon} />
      <h3 className={look('heading')}>{title}</h3>
      <p className={look('muted')}>{text}</p>
      {children && <div className={classes.action}>{children}</div>}
    </li>
  )
}
