export function TheatreIcon({ isTheatre }: { isTheatre: boolean }) {
  return (
    <svg
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {isTheatre ? <path d="M5 7.5h14v9H5z" /> : <path d="M2 6.5h20v11H2z" />}
    </svg>
  )
}
