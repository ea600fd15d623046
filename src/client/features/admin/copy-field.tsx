import { Button } from '../../components/button.tsx'
import { notify } from '../../lib/notify.ts'
import classes from './admin.module.css'

/** A text to be taken along, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      notify({ title: 'Copied' })
    } catch {
      notify({ tone: 'error', title: 'Not copied', message: 'Please select and copy it by hand.' })
    }
  }
  return (
    <div className={classes.row}>
      <input
        className={classes.filter}
        aria-label={label}
        readOnly
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  )
}
