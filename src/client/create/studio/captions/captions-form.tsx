import '#client/kit/styles/mantine-pages.css'
import { Button, FileInput, TextInput } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { column, look, row, stack } from '#client/kit/layout/layout.ts'
import { CAPTIONS_LABEL_MAX } from '#shared/limits.ts'
import classes from './captions-field.module.css'
import { EncodingField } from './encoding-field.tsx'
import { LANGUAGES, languageName } from './languages.ts'
import { useCaptionsFile } from './use-captions-file.ts'
import { CAPTIONS_ACCEPT, type CaptionsValues, captionsProblem } from './use-send-captions.ts'

type CaptionsFormProps = {
  isPending: boolean
  problem: string | null
  onSubmit: (values: CaptionsValues) => void
  onCancel: () => void
}

/** No `<form>`, because it is inside another one. */
export function CaptionsForm({ isPending, problem, onSubmit, onCancel }: CaptionsFormProps) {
  const id = useId()
  const [language, setLanguage] = useState(() => navigator.language.split('-')[0] ?? 'en')
  const [label, setLabel] = useState('')
  const { file, foreign, choose, setEncoding, readable } = useCaptionsFile(language)
  const [wasTried, setTried] = useState(false)
  const own = captionsProblem(file)
  const submit = () => {
    setTried(true)
    const sent = readable()
    if (sent && !own) onSubmit({ file: sent, language, label: label.trim() })
  }
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (event.target.type === 'text') submit()
  }
  const shown = wasTried && own ? own : problem
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere.
    <div
      role="group"
      aria-label="New captions"
      className={`${stack([12, 16], 'fullWidth', 'pad16', 'framed')} ${classes.form}`}
      onKeyDown={pressKey}
    >
      <FileInput
        className={column(4, 'shrink')}
        label="File"
        placeholder="Choose a file"
        accept={CAPTIONS_ACCEPT}
        value={file ?? null}
        error={shown ? true : undefined}
        aria-describedby={`${id}-problem`}
        fileInputProps={{ 'aria-label': 'Captions file', tabIndex: -1 }}
        onChange={(chosen) => void choose(chosen ?? undefined)}
      />
      <TextInput
        className={column(4, 'shrink')}
        label="Language"
        id={`${id}-language`}
        list={`${id}-languages`}
        value={language}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setLanguage(event.currentTarget.value)}
      />
      <datalist id={`${id}-languages`}>
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag} label={languageName(tag)} />
        ))}
      </datalist>
      <TextInput
        className={column(4, 'shrink')}
        label="Name (optional)"
        id={`${id}-label`}
        value={label}
        maxLength={CAPTIONS_LABEL_MAX}
        placeholder={languageName(language)}
        autoComplete="off"
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      {foreign && <EncodingField {...foreign} onChange={setEncoding} />}
      <p id={`${id}-problem`} className={look('fullWidth', 'across', 'problem')} role="alert">
        {shown}
      </p>
      <div className={`${classes.buttons} ${row(4)}`}>
        <Button variant="subtle" disabled={isPending} onClick={onCancel}>
          Discard
        </Button>
        <Button variant="default" disabled={isPending} onClick={submit}>
          {isPending ? 'Uploading...' : 'Upload captions'}
        </Button>
      </div>
    </div>
  )
}
