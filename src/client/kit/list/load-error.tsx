import { Button } from '@mantine/core'
import { UnpluggedDrawing } from '../drawings/unplugged-drawing.tsx'
import { EmptyState } from './empty-state.tsx'

type LoadErrorProps = {
  text: string
  onRetry: () => void
  /** Where it stands for the whole page. */
  heading?: 'h1'
}

/** Something that could not be loaded, in the place where it would stand, with a way to try again. */
export function LoadError({ text, onRetry, heading }: LoadErrorProps) {
  return (
    <EmptyState
      role="alert"
      {...(heading && { heading })}
      drawing={<UnpluggedDrawing />}
      title={text}
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}
