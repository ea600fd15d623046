import { UnstyledButton } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import classes from './news-line.module.css'

type NewsLineProps = { text: string; onShow: () => void }

/** Lies over the top of the list so that its items do not move. */
export default function NewsLine({ text, onShow }: NewsLineProps) {
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
