import { Skeleton } from '@mantine/core'
import classes from './text-skeleton.module.css'

/** Height of the surrounding text. */
export function TextSkeleton({ width = '100%' }: { width?: string }) {
  return <Skeleton className={classes.line} w={width} />
}
