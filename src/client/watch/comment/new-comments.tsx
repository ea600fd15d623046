import { UnstyledButton } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import classes from './new-comments.module.css'

/** Over the head of the list, which it does not move. */
export default function NewComments({ count, onShow }: { count: number; onShow: () => void }) {
  const text = count === 1 ? '1 new comment' : `${count} new comments`
  return (
    <div className={classes.place} role="status">
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
