import { IconCopy } from '@tabler/icons-react'
import { useId } from 'react'
import { copyPlainText } from '../lib/share-link.ts'
import { Button } from './button.tsx'
import classes from './copy-field.module.css'

type CopyFieldProps = {
  label: string
  text: string
  /** What the toast says: 'Embed code copied to clipboard.' */
  message: string
  /** More than one line of code. */
  rows?: number
}

/** A text to take along, with a button that puts it on the clipboard. */
export function CopyField({ label, text, message, rows }: CopyFieldProps) {
  const id = useId()
  const shown = {
    id,
    className: classes.text,
    value: text,
    readOnly: true,
    onFocus: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      currentTarget.select(),
  }
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.row}>
        {rows ? (
          <textarea {...shown} data-code rows={rows} spellCheck={false} />
        ) : (
          <input {...shown} />
        )}
        <Button
          variant="default"
          aria-label={`Copy ${label.toLowerCase()}`}
          icon={<IconCopy size={18} stroke={1.75} aria-hidden />}
          onClick={() => void copyPlainText(text, { title: label, message })}
        >
          Copy
        </Button>
      </div>
    </div>
  )
}
