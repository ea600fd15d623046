import { UnstyledButton } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import classes from './new-comments.module.css'

type NewCommentsProps = { text: string; onShow: () => void }

/** Lies over the top of the list so that the comments do not move. */
export default function NewComments({ text, onShow }: NewCommentsProps) {
  return (
    <div className={classes.place}>
      <UnstyledButton
        className={`${row(8, 'inline', 'middle')} ${classes.button}`}
        onClick={onShow}
      >
        <IconArrowUp size={16} aria-hidden />
        {text}
      </UnstyledButton>
    </div>
  )
}
