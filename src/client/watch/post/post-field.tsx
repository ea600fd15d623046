import { look } from '#client/kit/layout/layout.ts'
import { MentionField } from '#client/kit/mention/mention-field.tsx'
import { POST_MAX, POST_TOO_LONG } from '#shared/limits.ts'
import classes from './posts.module.css'

type PostFieldProps = {
  label: string
  placeholder?: string | undefined
  value: string
  onChange: (text: string) => void
  problem: string | null
  hasFocus?: boolean
}

/** Too long a text is an error, not cut. */
export function PostField(props: PostFieldProps) {
  const length = props.value.trim().length
  const isLong = length > POST_MAX
  return (
    <div className={look('relative')}>
      <MentionField
        aria-label={props.label}
        placeholder={props.placeholder}
        minRows={2}
        classNames={{ input: classes.input }}
        value={props.value}
        error={isLong ? POST_TOO_LONG : props.problem}
        autoFocus={props.hasFocus ?? false}
        onChange={props.onChange}
      />
      {length > 0 && (
        <p className={classes.count} data-long={isLong || undefined}>
          {length} / {POST_MAX}
          <span className="visually-hidden"> characters</span>
        </p>
      )}
    </div>
  )
}
