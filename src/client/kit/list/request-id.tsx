import { look } from '../layout/layout.ts'
import classes from './request-id.module.css'

/** For finding the failure in the log. */
export function RequestId({ id }: { id: string }) {
  return (
    <p className={look('above8', 'fine')}>
      Request <code className={classes.id}>{id}</code>
    </p>
  )
}
