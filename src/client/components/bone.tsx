import classes from './bone.module.css'

/** A box of something still to come; its size and shape are those of the class it is given. */
export function Bone({ className }: { className: string | undefined }) {
  return <span className={`${classes.bone} ${className}`} aria-hidden="true" />
}

/** A line of text still to come, in the size of the text around it. */
export function BoneLine({ width = '100%' }: { width?: string }) {
  return <span className={`${classes.bone} ${classes.line}`} style={{ width }} aria-hidden="true" />
}
