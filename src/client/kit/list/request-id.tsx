import classes from './request-id.module.css'

/** Under a failure of the server: what its admins find in the log by it. */
export function RequestId({ id }: { id: string }) {
  return (
    <p className={classes.root}>
      Request <code className={classes.id}>{id}</code>
    </p>
  )
}
