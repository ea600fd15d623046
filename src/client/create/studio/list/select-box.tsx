import { look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Checkbox } from '@mantine/core'
import classes from './select-box.module.css'

type SelectBoxProps = {
  title: string
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

export function SelectBox({ title, isSelected, onSelect }: SelectBoxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Mantine's box is one.
    <label
      className={`${classes.box} ${look('centred', 'rounded', 'square', 'hoverable')}`}
      title="Select"
    >
      <Checkbox
        size="sm"
        aria-label={`Select ${title}`}
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
    </label>
  )
}
