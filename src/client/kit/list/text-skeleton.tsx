import { Skeleton } from '@mantine/core'
import classes from './text-skeleton.module.css'

/** A line of text still to come, in the size of the text around it. */
export function TextSkeleton({ width = '100%' }: { width?: string }) {
  return <Skeleton className={classes.line} w={width} />
}
