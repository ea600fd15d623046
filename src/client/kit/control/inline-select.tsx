import '../styles/mantine-pages.css'
import { NativeSelect } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import classes from './inline-select.module.css'

type InlineSelectProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A quiet choice of a few options, on one line with its label: how a list is sorted. */
export function InlineSelect<Value extends string>(props: InlineSelectProps<Value>) {
  const choose = (chosen: string) => {
    const option = props.options.find(({ value }) => value === chosen)
    if (option) props.onChange(option.value)
  }
  return (
    <NativeSelect
      variant="unstyled"
      label={props.label}
      data={[...props.options]}
      value={props.value}
      rightSection={<IconChevronDown size={16} aria-hidden />}
      classNames={{
        root: classes.root,
        label: classes.label,
        input: classes.input,
        section: classes.chevron,
      }}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
