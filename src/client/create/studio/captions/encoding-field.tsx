import '#client/kit/styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { column } from '#client/kit/layout/layout.ts'
import classes from './captions-field.module.css'
import { ENCODINGS, previewLines } from './encodings.ts'

type EncodingFieldProps = {
  bytes: Uint8Array<ArrayBuffer>
  encoding: string
  onChange: (encoding: string) => void
}

/** Previews the first lines. */
export function EncodingField({ bytes, encoding, onChange }: EncodingFieldProps) {
  return (
    <div className={column(8, 'shrink', 'across')}>
      <Select
        className={column(4, 'shrink')}
        label="Text encoding"
        description="This file is not UTF-8. Choose the encoding that makes these lines readable."
        data={ENCODINGS}
        value={encoding}
        checkIconPosition="left"
        comboboxProps={{ withinPortal: true }}
        onChange={(value) => value && onChange(value)}
      />
      <p role="note" className={classes.preview} aria-label="Preview" dir="auto">
        {previewLines(bytes, encoding)}
      </p>
    </div>
  )
}
