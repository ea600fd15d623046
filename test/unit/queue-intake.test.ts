import { expect, test } from 'vitest'
import { newItem } from '#client/create/upload/queue/queue-intake.ts'
import { createSavedDetails } from '#client/create/upload/queue/saved-details.ts'

const DETAILS = { tags: [], isAnonymous: false }

/** Local storage in memory. */
function createStorage(): Storage {
  const items = new Map<string, string>()
  return {
    length: 0,
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: () => null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  }
}

test('a file gets the category of the last upload, or Other once that is archived', () => {
  const saved = createSavedDetails(createStorage(), 1)
  const member = { userId: 1, isAnonymous: false, saved }
  const categoryOf = (name: string, categories: string[]) =>
    newItem(new File(['a'], name), { ...member, categories }).details.category
  saved.setDefaults({ ...DETAILS, category: 'Chess' })
  expect(categoryOf('a.mp4', ['Chess', 'Other'])).toBe('Chess')
  expect(categoryOf('a.mp4', ['Other'])).toBe('Other')
  const draft = { title: 'Mate', description: '', visibility: null, squadId: null }
  saved.setDraft(
    { name: 'b.mp4', size: 1 },
    { ...DETAILS, ...draft, participants: [], category: 'Chess' },
  )
  expect(categoryOf('b.mp4', ['Chess', 'Other'])).toBe('Chess')
  expect(categoryOf('b.mp4', ['Other'])).toBe('Other')
})
