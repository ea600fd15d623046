import { look } from '../layout/layout.ts'
import '../styles/mantine-pages.css'
import { Button, Textarea, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyPlainText } from '../../platform/video/share-link.ts'
import classes from './copy-field.module.css'

type CopyFieldProps = {
  label: string
  text: string
  /** Toast, such as 'Embed code copied to clipboard.' */
  message: string
  /** For multi-line code. */
  rows?: number
}

export function CopyField({ label, text, message, rows }: CopyFieldProps) {
  const select = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    currentTarget.select()
  const shown = { label, value: text, readOnly: true, onFocus: select, className: look('fill') }
  return (
    <div className={classes.row}>
      {rows ? (
        <Textarea
          {...shown}
          classNames={{ input: classes.code }}
          rows={rows}
          resize="vertical"
          spellCheck={false}
        />
      ) : (
        <TextInput {...shown} />
      )}
      <Button
        variant="default"
        aria-label={`Copy ${label.toLowerCase()}`}
        leftSection={<IconCopy size={18} stroke={1.75} aria-hidden />}
        onClick={() => void copyPlainText(text, { title: label, message })}
      >
        Copy
      </Button>
    </div>
  )
}
