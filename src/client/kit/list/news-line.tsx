import { UnstyledButton } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import classes from './news-line.module.css'

type NewsLineProps = {
  /** Undefined without news. The component stays mounted, so that screen readers announce the text. */
  text: string | undefined
  onShow: (() => void) | undefined
  className?: string | undefined
}

/** Lies over the top of the list so that its items do not move. */
export function NewsLine({ text, onShow, className }: NewsLineProps) {
  return (
    <div className={`${classes.place} ${className ?? ''}`}>
      <p className="visually-hidden" role="status">
        {text}
      </p>
      {text !== undefined && (
        <UnstyledButton
          className={`${row(8, 'inline', 'middle')} ${classes.button}`}
          onClick={onShow}
        >
          <IconArrowUp size={16} aria-hidden />
          {text}
        </UnstyledButton>
      )}
    </div>
  )
}
