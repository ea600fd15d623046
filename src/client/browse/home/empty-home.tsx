import { Link } from '@tanstack/react-router'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import classes from './empty-home.module.css'

/** For a site without videos. */
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
      <EmptyState
        role="status"
        drawing={<FilmDrawing />}
        title="No videos found"
        action={
          viewer ? (
            <>
              <LinkButton to="/upload">Upload a video</LinkButton>
              {viewer.isAdmin && (
                <LinkButton to="/admin/$section" params={{ section: 'welcome' }} variant="default">
                  Open the set-up checklist
                </LinkButton>
              )}
            </>
          ) : site?.registration === 'open' ? (
            <LinkButton to="/auth" search={{ tab: 'register' }}>
              Create an account
            </LinkButton>
          ) : (
            <LinkButton to="/auth">Sign in</LinkButton>
          )
        }
      >
        {viewer
          ? 'Be the first to share a match here.'
          : 'Nobody has shared a match here yet. Members upload the first one.'}
      </EmptyState>
    </div>
  )
}
