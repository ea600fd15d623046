import '../styles/mantine-pages.css'
import { TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { TAG_MAX, TAGS_MAX } from '#shared/limits.ts'
import classes from './tags-field.module.css'

type TagsFieldProps = {
  name?: string
  label?: string
  hint: string
  value: string[]
  error: ReactNode
  onChange: (tags: string[]) => void
}

/** Enter or a comma ends a tag. */
export function TagsField({ name = 'tags', label = 'Tags', hint, ...field }: TagsFieldProps) {
  return (
    <TagsInput
      name={name}
      label={label}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxTags={TAGS_MAX}
      maxLength={TAG_MAX}
      splitChars={[',']}
      acceptValueOnBlur
      value={field.value}
      error={field.error}
      classNames={{ description: classes.below, error: classes.below }}
      onChange={(tags) => field.onChange(separated(tags))}
    />
  )
}

/** 'ace, #clutch' means two tags; # is shown by the page. */
function separated(tags: string[]): string[] {
  const all = tags.flatMap((tag) => tag.split(',')).map((tag) => tag.trim().replace(/^#+/, ''))
  return [...new Set(all.filter(Boolean))]
}
