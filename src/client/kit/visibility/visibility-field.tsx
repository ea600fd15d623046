import '../styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { beside, look } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import type { SquadMark } from '#shared/schemas/squad.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import classes from './visibility-field.module.css'
import { VisibilityIcon } from './visibility-icon.tsx'

const UNSET = 'unset'
/** Options for squads have this prefix before the id. */
const SQUAD = 'squad-'

type Words = { name: string; text: string }

/** For bulk edits. */
export const KEEP_LEVEL: Words = { name: 'Keep as it is', text: 'Each stays as visible as it is' }

type VisibilityFieldProps<Value extends Visibility | null> = {
  label?: string
  value: Value
  onChange: (visibility: Value) => void
  /** Label of the option for no level. */
  unset?: Words
}

export function VisibilityField<Value extends Visibility | null>(
  props: VisibilityFieldProps<Value>,
) {
  const { label = 'Visibility', value, onChange, unset } = props
  return (
    <LevelSelect
      label={label}
      words={{ ...(unset && { [UNSET]: unset }), ...VISIBILITY_WORDS }}
      value={value ?? UNSET}
      onChange={(level) => onChange((level === UNSET ? null : level) as Value)}
    />
  )
}

export type ChosenLevel = { visibility: Visibility; squadId: number | null }

type VideoLevelFieldProps<Value extends ChosenLevel | null> = {
  value: Value
  onChange: (level: ChosenLevel | (Value extends null ? null : never)) => void
  unset?: Words
  /** The current squad of the video stays an option even if its owner has left it. */
  squad?: SquadMark | null
}

/** Also offers the squads of the current user. */
export function VideoLevelField<Value extends ChosenLevel | null>(
  props: VideoLevelFieldProps<Value>,
) {
  const { value, onChange, unset, squad = null } = props
  const mine = trpc.squad.mine.useQuery()
  const joined = mine.data?.joined ?? []
  const isLeft = squad && joined.every(({ id }) => id !== squad.id)
  const squads: [string, Words][] = joined.map(({ id, name, memberCount }) => [
    `${SQUAD}${id}`,
    { name, text: squadText(memberCount) },
  ])
  if (isLeft) squads.push([`${SQUAD}${squad.id}`, { name: squad.name, text: 'Its members' }])
  const { private: hidden, ...wider } = VISIBILITY_WORDS
  const words: Record<string, Words> = {
    ...(unset && { [UNSET]: unset }),
    ...wider,
    ...Object.fromEntries(squads),
    private: hidden,
  }
  return (
    <LevelSelect
      label="Visibility"
      words={words}
      value={toOption(value)}
      onChange={(option) => onChange(toLevel(option) as ChosenLevel)}
    />
  )
}

function squadText(memberCount: number): string {
  return memberCount === 1 ? 'Your squad: only you so far' : `Your squad: ${memberCount} members`
}

function toOption(level: ChosenLevel | null): string {
  if (!level) return UNSET
  return level.squadId === null ? level.visibility : `${SQUAD}${level.squadId}`
}

function toLevel(option: string): ChosenLevel | null {
  if (option === UNSET) return null
  if (!option.startsWith(SQUAD)) return { visibility: option as Visibility, squadId: null }
  return { visibility: 'private', squadId: Number(option.slice(SQUAD.length)) }
}

type LevelSelectProps = {
  label: string
  words: Record<string, Words>
  value: string
  onChange: (option: string) => void
}

function LevelSelect({ label, words, value, onChange }: LevelSelectProps) {
  return (
    <Select<string>
      label={label}
      description={words[value]?.text}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ description: classes.meaning }}
      data={Object.entries(words).map(([level, { name }]) => ({ value: level, label: name }))}
      maxDropdownHeight={340}
      leftSection={<LevelIcon level={value} />}
      renderOption={({ option, checked }) => (
        <span
          className={`${classes.option} ${beside([0, 12], 'centre', 'grow')}`}
          data-checked={checked || undefined}
        >
          <LevelIcon level={option.value} />
          <span className={look('strong')}>{option.label}</span>
          <span className={classes.text}>{words[option.value]?.text}</span>
        </span>
      )}
      value={value}
      onChange={(level) => level && onChange(level)}
    />
  )
}

function LevelIcon({ level }: { level: string }) {
  if (level === UNSET) return <IconDots size={18} stroke={1.75} aria-hidden />
  const visibility = level.startsWith(SQUAD) ? 'squad' : (level as Visibility)
  return <VisibilityIcon visibility={visibility} size={18} />
}
