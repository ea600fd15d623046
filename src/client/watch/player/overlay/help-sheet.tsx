import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  type TablerIcon,
} from '@tabler/icons-react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { SHORTCUTS } from '../core/shortcuts.ts'
import { usePlayer } from '../player-context.ts'
import classes from './help-sheet.module.css'

export default function HelpSheet({ onClose }: { onClose: () => void }) {
  const { onClip, hasReactions } = usePlayer().core
  const hasClips = onClip !== undefined
  return (
    <Dialog
      title="Keyboard shortcuts"
      size={760}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === '?') onClose()
      }}
    >
      <div className={classes.groups}>
        {SHORTCUTS.map(({ title, items }) => (
          <section key={title}>
            <h3 className={look('below4', 'accentColor', 'size13')}>{title}</h3>
            <dl>
              {items.map(({ keys, label, needsClips, needsReactions }) =>
                (needsClips && !hasClips) || (needsReactions && !hasReactions) ? null : (
                  <div key={label} className={`${row(16, 'between')} ${classes.row}`}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((key) => (
                        <Key key={key} name={key} />
                      ))}
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const ARROWS: Record<string, [TablerIcon, string]> = {
  '←': [IconArrowLeft, 'Left'],
  '→': [IconArrowRight, 'Right'],
  '↑': [IconArrowUp, 'Up'],
  '↓': [IconArrowDown, 'Down'],
}

/** Arrows are icons, because not every font has them. */
function Key({ name }: { name: string }) {
  const parts = name.split('+')
  const [Arrow, label] = ARROWS[parts.at(-1) ?? ''] ?? []
  if (!Arrow) return <kbd className={classes.key}>{name}</kbd>
  return (
    <kbd className={classes.key} aria-label={[...parts.slice(0, -1), label].join('+')}>
      {parts.length > 1 && `${parts[0]} `}
      <Arrow size={14} aria-hidden />
    </kbd>
  )
}
