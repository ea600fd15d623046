import { Button } from '@mantine/core'
import { column } from '#client/kit/layout/layout.ts'

/** Shown when a sign-in step has expired, ten minutes after it began. */
export function TooLate({ onBack }: { onBack: () => void }) {
  return (
    <div className={column(16)}>
      <p role="alert">This took too long. Please sign in again.</p>
      <Button variant="default" onClick={onBack}>
        Back to login
      </Button>
    </div>
  )
}
