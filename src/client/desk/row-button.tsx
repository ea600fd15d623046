import type { TablerIcon } from '@tabler/icons-react'
import { IconButton } from '#client/kit/control/icon-button.tsx'

type RowButtonProps = {
  /** Tooltip, such as 'Delete'. */
  name: string
  /** For screen readers, with its subject: 'Delete backup 2026-11-01'. */
  label: string
  Icon: TablerIcon
  isDanger?: boolean
  onPress: () => void
}

/** Icon button for an action on a table row. */
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
