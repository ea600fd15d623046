import '../styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { beside, look } from '#client/kit/layout/layout.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import classes from './visibility-field.module.css'
import { VisibilityIcon } from './visibility-icon.tsx'

const UNSET = 'unset'

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
  const words: Record<string, Words> = { ...(unset && { [UNSET]: unset }), ...VISIBILITY_WORDS }
  return (
    <Select<string>
      label={label}
      description={words[value ?? UNSET]?.text}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ description: classes.meaning }}
      data={Object.entries(words).map(([level, { name }]) => ({ value: level, label: name }))}
      allowDeselect={false}
      maxDropdownHeight={340}
      checkIconPosition="right"
      leftSection={<LevelIcon level={value ?? UNSET} />}
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
      value={value ?? UNSET}
      onChange={(level) => level && onChange((level === UNSET ? null : level) as Value)}
    />
  )
}

function LevelIcon({ level }: { level: string }) {
  if (level === UNSET) return <IconDots size={18} stroke={1.75} aria-hidden />
  return <VisibilityIcon visibility={level as Visibility} size={18} />
}
