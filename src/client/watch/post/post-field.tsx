import { POST_MAX } from '#shared/limits.ts'
import { MentionField } from '../mention/mention-field.tsx'
import classes from './posts.module.css'

type PostFieldProps = {
  label: string
  placeholder?: string | undefined
  value: string
  onChange: (text: string) => void
  problem: string | null
  max?: number
  noun?: 'post' | 'comment'
  hasFocus?: boolean
}

/** The text of a post; what is too long is not cut, but said so. */
export function PostField({ max = POST_MAX, noun = 'post', ...props }: PostFieldProps) {
  const length = props.value.trim().length
  const isLong = length > max
  return (
    <div className={classes.field}>
      <MentionField
        aria-label={props.label}
        placeholder={props.placeholder}
        minRows={2}
        classNames={{ input: classes.input }}
        value={props.value}
        error={isLong ? `A ${noun} has at most ${max} characters.` : props.problem}
        autoFocus={props.hasFocus ?? false}
        onChange={props.onChange}
      />
      {length > 0 && (
        <p className={classes.count} data-long={isLong || undefined}>
          {length} / {max}
          <span className="visually-hidden"> characters</span>
        </p>
      )}
    </div>
  )
}
