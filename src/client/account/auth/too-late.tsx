import { Button } from '@mantine/core'
import { column } from '#client/kit/layout/layout.ts'

/** A step of a sign-in lasts ten minutes. */
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
