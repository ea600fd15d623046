import { Button } from '@mantine/core'
import { row } from '#client/kit/layout/layout.ts'
import { CopyField } from '../../kit/control/copy-field.tsx'

/** A secret that is shown this once. */
export function SecretField({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <p>
        Copy it now: it is not shown again. The receiver checks with it that messages come from this
        site.
      </p>
      <CopyField label="Secret" text={secret} message="Secret copied to clipboard." />
      <div className={row(12, 'wrap', 'end')}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </>
  )
}
