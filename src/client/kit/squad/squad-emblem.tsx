import {
  IconBolt,
  IconCrown,
  IconFlame,
  IconGhost,
  IconMoon,
  IconPaw,
  IconRocket,
  IconShield,
  IconSkull,
  IconStar,
  IconSword,
  IconTarget,
  type TablerIcon,
} from '@tabler/icons-react'
import type { SquadMark } from '#shared/schemas/squad.schemas.ts'
import type { SquadEmblem as Emblem } from '#shared/squads.ts'
import classes from './squad-emblem.module.css'

const ICONS: Record<Emblem, TablerIcon> = {
  shield: IconShield,
  flame: IconFlame,
  bolt: IconBolt,
  crown: IconCrown,
  ghost: IconGhost,
  skull: IconSkull,
  sword: IconSword,
  target: IconTarget,
  rocket: IconRocket,
  moon: IconMoon,
  star: IconStar,
  paw: IconPaw,
}

type SquadEmblemProps = { squad: Pick<SquadMark, 'colour' | 'emblem'>; size: number }

/** Hides the emblem from screen readers because the name is beside it. */
export function SquadEmblem({ squad, size }: SquadEmblemProps) {
  const Icon = ICONS[squad.emblem]
  return (
    <span
      className={classes.emblem}
      data-squad-colour={squad.colour}
      style={{ width: size, height: size, borderRadius: Math.min(12, size / 4) }}
      aria-hidden="true"
    >
      <Icon size={Math.round(size * 0.58)} stroke={1.75} />
    </span>
  )
}

/** Shows the tag in the colour of the emblem. */
export function SquadTag({ squad }: { squad: Pick<SquadMark, 'colour' | 'tag'> }) {
  return (
    <span className={classes.tag} data-squad-colour={squad.colour}>
      {squad.tag}
    </span>
  )
}
