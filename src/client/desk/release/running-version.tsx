import type { Release } from '#shared/schemas/desk/release.schemas.ts'

const HASH_SHOWN = 7

/** With the commit, if known. */
export function RunningVersion({ release: { version, commit } }: { release: Release }) {
  return (
    <p>
      Clutch {version}
      {commit && <> ({commit.slice(0, HASH_SHOWN)})</>}
    </p>
  )
}
