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
import { look } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import classes from './first-steps.module.css'

/** Lists the next steps on a site with few or no videos. */
export default function FirstSteps() {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  return (
    <ul className={classes.steps}>
      {viewer?.isAdmin ? <AdminSteps /> : <Features isMember={Boolean(viewer)} />}
    </ul>
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
