import '../styles/mantine-pages.css'
import { Progress } from '@mantine/core'

type WorkBarProps = {
  /** For screen readers. */
  label: string
  percent: number
  /** In pixels. */
  height?: number
  className?: string | undefined
}

/** How far some work is. The whole bar is what screen readers find: at 0% there is nothing else of it. */
export function WorkBar({ label, percent, height = 4, className }: WorkBarProps) {
  const rounded = Math.round(percent)
  return (
    <Progress.Root
      size={height}
      radius="xl"
      transitionDuration={200}
      className={className}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={rounded}
    >
      <Progress.Section value={rounded} withAria={false} />
    </Progress.Root>
  )
}
