import type { Visibility } from '../schemas/visibility.schemas.ts'

/** From most to fewest people. */
export const VISIBILITY_WORDS: Record<Visibility, { name: string; text: string }> = {
  public: { name: 'Public', text: 'Everyone can find and watch it' },
  members: { name: 'Members', text: 'Everybody who is signed in' },
  unlisted: { name: 'Unlisted', text: 'Anyone with the link; not listed' },
  private: { name: 'Private', text: 'You, admins and people you choose' },
}

type Squad = { name: string } | null

/** Returns the words for the level of a video, which may be for a squad. */
export function levelWords(visibility: Visibility, squad: Squad): { name: string; text: string } {
  if (visibility !== 'private' || !squad) return VISIBILITY_WORDS[visibility]
  return { name: squad.name, text: `The members of ${squad.name}` }
}
