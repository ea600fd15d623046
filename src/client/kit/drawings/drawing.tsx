import type { ReactNode } from 'react'

/** 48 by 48, in the text's colour. */
export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      width={48}
      height={48}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="square"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
