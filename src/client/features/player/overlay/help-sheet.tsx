import { IconX } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { SHORTCUTS } from '../core/shortcuts.ts'
import classes from './help-sheet.module.css'

/** The keys of the player. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const closeOutside = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) event.currentTarget.close()
  }
  return (
    <dialog
      ref={openModal}
      className={classes.sheet}
      aria-labelledby="player-keys"
      onClose={onClose}
      onClick={closeOutside}
      onKeyDown={(event) => {
        if (event.key === '?') event.currentTarget.close()
      }}
    >
      <div className={classes.inside}>
        <header className={classes.header}>
          <h2 id="player-keys" className={classes.title}>
            Keyboard shortcuts
          </h2>
          <form method="dialog">
            <button type="submit" className={classes.close} aria-label="Close">
              <IconX size={20} aria-hidden />
            </button>
          </form>
        </header>
        <div className={classes.groups}>
          {SHORTCUTS.map(({ title, items }) => (
            <section key={title}>
              <h3 className={classes.group}>{title}</h3>
              <dl className={classes.list}>
                {items.map(({ keys, label }) => (
                  <div key={label} className={classes.row}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key} className={classes.key}>
                          {key}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </dialog>
  )
}

function openModal(dialog: HTMLDialogElement | null): void {
  if (dialog && !dialog.open) dialog.showModal()
}
