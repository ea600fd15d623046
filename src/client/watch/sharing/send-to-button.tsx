import '#client/kit/styles/mantine-pages.css'
import { Button, Popover } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { trpc } from '#client/trpc.ts'
import { SendToSquads } from './send-to-squads.tsx'

type SendToButtonProps = { clip: { id: number; video: { visibility: string } } }

/** Renders nothing for a viewer without squads. */
export function SendToButton({ clip }: SendToButtonProps) {
  const { joined = [] } = trpc.squad.mine.useQuery().data ?? {}
  if (joined.length === 0) return null
  return (
    <Popover position="top-start" width={320} trapFocus withinPortal>
      <Popover.Target>
        <Button leftSection={<IconSend size={20} stroke={1.75} aria-hidden />}>Send to</Button>
      </Popover.Target>
      <Popover.Dropdown
        aria-label="Send to a squad"
        aria-labelledby={undefined}
        // Escape closes only the popover, not the card around the button.
        onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      >
        <SendToSquads
          sent={{ kind: 'clip', id: clip.id }}
          isOfPrivateVideo={clip.video.visibility === 'private'}
          hasMessage
        />
      </Popover.Dropdown>
    </Popover>
  )
}
