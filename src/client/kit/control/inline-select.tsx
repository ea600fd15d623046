import { look, row } from '../layout/layout.ts'
import '../styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import classes from './inline-select.module.css'

type InlineSelectProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One line with its label, such as for sorting. */
export function InlineSelect<Value extends string>(props: InlineSelectProps<Value>) {
  const { label, options, value, onChange } = props
  const longest = Math.max(...options.map((option) => option.label.length))
  return (
    <Select<Value>
      variant="unstyled"
      label={label}
      data={[...options]}
      value={value}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      rightSection={<IconChevronDown size={16} aria-hidden />}
      style={{ '--characters': longest } as CSSProperties}
      classNames={{
        root: `${classes.root} ${row(4, 'inline', 'nowrap')}`,
        label: classes.label,
        wrapper: look('shrink'),
        input: `${classes.input} ${look('hoverable')}`,
        section: classes.chevron,
      }}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  )
}
