import { useLocalStorage } from '@mantine/hooks'

/** The shelves of the home page that a member can hide, with their titles. */
export const MEMBER_SHELVES = {
  unfinished: 'Continue watching',
  followed: 'From those you follow',
} as const
export type MemberShelf = keyof typeof MEMBER_SHELVES

/** Which shelves are hidden on this device. */
export function useHiddenShelves() {
  const [hidden, setHidden] = useLocalStorage<MemberShelf[]>({
    key: 'clutch-hidden-shelves',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const isHidden = (shelf: MemberShelf) => hidden.includes(shelf)
  const setShelfHidden = (shelf: MemberShelf, isNowHidden: boolean) =>
    setHidden((before) => {
      const others = before.filter((each) => each !== shelf)
      return isNowHidden ? [...others, shelf] : others
    })
  return { isHidden, setShelfHidden }
}
