import { Link } from '@tanstack/react-router'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import ClosingSight from '#client/kit/drawings/closing-sight.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import classes from './empty-home.module.css'
import FirstSteps from './first-steps.tsx'

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
      <FirstSteps />
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
