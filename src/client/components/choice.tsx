import { IconChevronDown } from '@tabler/icons-react'
import classes from './choice.module.css'

type ChoiceProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A quiet choice of a few things, on one line with its label: how a list is sorted. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const choose = (chosen: string) => {
    const option = props.options.find(({ value }) => value === chosen)
    if (option) props.onChange(option.value)
  }
  return (
    <label className={classes.choice}>
      {props.label}
      <select
        className={classes.select}
        value={props.value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <IconChevronDown className={classes.chevron} size={16} aria-hidden />
    </label>
  )
}
