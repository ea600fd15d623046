import { Button, UnstyledButton } from '@mantine/core'
import { look, row } from '#client/kit/layout/layout.ts'
import { formatTenths } from '#shared/text/format.ts'
import classes from './parts-list.module.css'
import type { CutEditing } from './use-cut-editing.ts'

/** Accessible equivalent of the timeline. */
export function PartsList({ editing }: { editing: CutEditing }) {
  const { segments, index: current, player, act } = editing
  return (
    <section aria-label="Parts" className={look('shrink')}>
      <ol className={classes.list}>
        {segments.map(({ fromSeconds, toSeconds, isKept }, index) => {
          const name = `part ${index + 1}`
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is what is at its place.
              key={index}
              className={`${row(8, 'shrink', 'outlined', 'surface', 'pad4x8')} ${classes.part}`}
              data-dropped={!isKept || undefined}
              aria-current={index === current || undefined}
            >
              <UnstyledButton
                className={`${row([0, 12], 'wrap', 'baseline', 'fill')} ${classes.place}`}
                onClick={() => player.seek(fromSeconds)}
              >
                <span className={classes.number}>
                  <span className="visually-hidden">Go to part </span>
                  {index + 1}
                </span>
                <span className={`${classes.times} ${look('strong')}`}>
                  {formatTenths(fromSeconds)} – {formatTenths(toSeconds)}
                </span>
                <span className={look('note')}>
                  {isKept ? (
                    <>
                      <span className="visually-hidden">kept, </span>
                      {formatTenths(toSeconds - fromSeconds)}
                    </>
                  ) : (
                    'Removed'
                  )}
                </span>
              </UnstyledButton>
              <span className={row(4, 'stretch', 'noShrink')}>
                {index > 0 && (
                  <Button
                    variant="subtle"
                    size="sm"
                    aria-label={`Join ${name} with the one before`}
                    onClick={() => act({ kind: 'join', index })}
                  >
                    Join
                  </Button>
                )}
                <Button
                  variant="default"
                  size="sm"
                  aria-label={`${isKept ? 'Remove' : 'Keep'} ${name}`}
                  onClick={() => act({ kind: 'toggle', index })}
                >
                  {isKept ? 'Remove' : 'Keep'}
                </Button>
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
