import type { TablerIcon } from '@tabler/icons-react'
import { IconButton } from '#client/kit/control/icon-button.tsx'

type RowButtonProps = {
  /** Tooltip, such as 'Delete'. */
  name: string
  /** The same for screen readers, with what it is done to: 'Delete backup 2026-11-01'. */
  label: string
  Icon: TablerIcon
  isDanger?: boolean
  onPress: () => void
}

/** One of the actions that can be done with a row of a table, as an icon. */
export function RowButton({ name, label, Icon, isDanger = false, onPress }: RowButtonProps) {
  return (
    <IconButton
      variant="subtle"
      {...(isDanger && { color: 'pulse' })}
      aria-label={label}
      hint={name}
      onClick={onPress}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
    </IconButton>
  )
}
