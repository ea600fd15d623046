import type { Setup } from '#shared/schemas/desk/setup.schemas.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import classes from '../admin.module.css'
import { openSteps, STEP_WORDS } from './setup-words.ts'

/** What is left to set up; it goes away with the last step. */
export function SetupCard({ setup }: { setup: Setup }) {
  const [next] = openSteps(setup)
  if (!next) return null
  const { steps } = setup
  const settled = steps.length - openSteps(setup).length
  return (
    <section className={classes.panel} aria-labelledby="setup-title">
      <div className={`${classes.row} ${classes.spread}`}>
        <div>
          <h2 id="setup-title" className={classes.panelTitle}>
            Set up your site
          </h2>
          <p className={classes.quiet}>
            {settled} of {steps.length} steps are settled. Next: {STEP_WORDS[next].title}
          </p>
        </div>
        <LinkButton to="/admin/$section" params={{ section: 'welcome' }}>
          Go on
        </LinkButton>
      </div>
      <WorkBar label="Set-up" percent={(100 * settled) / steps.length} height={6} />
    </section>
  )
}
