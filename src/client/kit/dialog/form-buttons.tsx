import { Button } from '@mantine/core'

type FormButtonsProps = {
  submitLabel: string
  pendingLabel: string
  isPending: boolean
  /** Disables the submit button. */
  isHeld?: boolean
  onCancel: () => void
}

/** The buttons below a form in a dialog. */
export function FormButtons(props: FormButtonsProps) {
  const { submitLabel, pendingLabel, isPending, isHeld, onCancel } = props
  return (
    <>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" disabled={isPending || isHeld}>
        {isPending ? pendingLabel : submitLabel}
      </Button>
    </>
  )
}
