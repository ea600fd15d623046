import type { Visibility } from '../schemas/visibility.schemas.ts'

/** From most to fewest people. */
export const VISIBILITY_WORDS: Record<Visibility, { name: string; text: string }> = {
  public: { name: 'Public', text: 'Everyone can find and watch it' },
  members: { name: 'Members', text: 'Everybody who is signed in' },
  unlisted: { name: 'Unlisted', text: 'Whoever has the address; it is in no list' },
  private: { name: 'Private', text: 'You, admins and whom you name' },
}
