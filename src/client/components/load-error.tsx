import { Button } from './button.tsx'
import { UnpluggedDrawing } from './drawings.tsx'
import { EmptyState } from './empty-state.tsx'

/** Something that could not be loaded, in the place where it would stand, with a way to try again. */
export function LoadError({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <EmptyState
      role="alert"
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
