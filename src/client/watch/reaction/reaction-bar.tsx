import { look, row } from '#client/kit/layout/layout.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { REACTION_KINDS, REACTION_WORDS, type ReactionKind } from '#shared/reactions.ts'
import classes from './reaction-bar.module.css'
import { ReactionSign } from './reaction-sign.tsx'

type ReactionBarProps = {
  className?: string | undefined
  /** The kind that was pressed a moment ago. */
  pressed: ReactionKind | undefined
  onReact: (kind: ReactionKind) => void
}

export function ReactionBar({ className = '', pressed, onReact }: ReactionBarProps) {
  const hasKeys = useHasKeys()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    <div role="group" aria-label="React" className={`${row(0)} ${className}`}>
      {REACTION_KINDS.map((kind, index) => (
        <button
          key={kind}
          type="button"
          className={`${look('centred', 'noShrink')} ${classes.button}`}
          data-pressed={kind === pressed || undefined}
          aria-label={REACTION_WORDS[kind]}
          aria-keyshortcuts={`Alt+${index + 1}`}
          title={hasKeys ? `${REACTION_WORDS[kind]} (Alt+${index + 1})` : REACTION_WORDS[kind]}
          onClick={() => onReact(kind)}
        >
          <ReactionSign kind={kind} size={24} />
        </button>
      ))}
    </div>
  )
}
