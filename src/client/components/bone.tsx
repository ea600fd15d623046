import classes from './bone.module.css'

/** A box of something still to come; its size and shape are those of the class it is given. */
export function Bone({ className }: { className: string | undefined }) {
  return <span className={`${classes.bone} ${className}`} aria-hidden="true" />
}
