import { IconX } from '@tabler/icons-react'
import classes from './remove-button.module.css'

/** Takes one video out of a list. */
export function RemoveButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button type="button" className={classes.button} aria-label={label} onClick={onPress}>
      <IconX size={20} stroke={1.75} aria-hidden />
    </button>
  )
}
