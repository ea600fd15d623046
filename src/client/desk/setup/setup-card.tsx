import { Panel } from '#client/kit/panel/panel.tsx'
import type { Setup } from '#shared/schemas/desk/setup.schemas.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { openSteps, STEP_WORDS } from './setup-words.ts'

/** Disappears after the last step. */
export function SetupCard({ setup }: { setup: Setup }) {
  const [next] = openSteps(setup)
  if (!next) return null
  const { steps } = setup
  const settled = steps.length - openSteps(setup).length
  return (
    <Panel
      title="Set up your site"
      about={`${settled} of ${steps.length} steps are done. Next: ${STEP_WORDS[next].title}`}
      action={
        <LinkButton variant="default" to="/admin/$section" params={{ section: 'welcome' }}>
          Continue
        </LinkButton>
      }
    >
      <WorkBar label="Set-up" percent={(100 * settled) / steps.length} height={6} />
    </Panel>
  )
}
