import type { ComponentProps } from 'react'
import { Sheet } from '../../kit/dialog/sheet.tsx'
import { look } from '../../kit/layout/layout.ts'
import classes from './comments-sheet.module.css'
import { WatchComments } from './watch-comments.tsx'

type CommentsSheetProps = ComponentProps<typeof WatchComments> & { onClose: () => void }

/** Shows the comments of the page in a sheet over the playing video. */
export default function CommentsSheet({ onClose, ...props }: CommentsSheetProps) {
  return (
    <Sheet label="Comments" isTall onClose={onClose}>
      <div className={`${look('padX16')} ${classes.comments}`}>
        <WatchComments {...props} />
      </div>
    </Sheet>
  )
}
