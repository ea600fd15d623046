import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

/** Takes one video out of a list. */
export function RemoveButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <ActionIcon radius="xl" aria-label={label} onClick={onPress}>
      <IconX size={20} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
