import classes from './select-box.module.css'

type SelectBoxProps = {
  title: string
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

/** Takes a video into the selection. */
export function SelectBox({ title, isSelected, onSelect }: SelectBoxProps) {
  return (
    <label className={classes.box} title="Select">
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
    </label>
  )
}
