import { Button } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { column } from '#client/kit/layout/layout.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import classes from './hidden-card.module.css'

const rootLook = column(8, 'middle', 'centre', 'pad16', 'card', 'note', 'centredText')

type HiddenCardProps = { video: { id: number; title: string }; onUndo: () => void }

/** Placeholder until the list reloads. */
export default function HiddenCard({ video, onUndo }: HiddenCardProps) {
  const unhide = trpc.video.unhide.useMutation({
    onSuccess: onUndo,
    onError: notifyFailure('The video could not be brought back'),
  })
  return (
    <div className={`${rootLook} ${classes.root}`}>
      <IconEyeOff size={24} stroke={1.75} aria-hidden />
      <p role="status">
        This video will no longer appear in your lists.
        <span className="visually-hidden"> {video.title}</span>
      </p>
      <Button
        variant="default"
        ref={(button) => button?.focus()}
        disabled={unhide.isPending}
        onClick={() => unhide.mutate({ id: video.id })}
      >
        Undo
      </Button>
    </div>
  )
}
