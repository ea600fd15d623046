/** Each rule returns an error sentence or undefined. */
import {
  BIO_MAX,
  DESCRIPTION_MAX,
  DISPLAY_NAME_MAX,
  DISPLAY_NAME_MIN,
  EMAIL_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PLAYLIST_DESCRIPTION_MAX,
  PLAYLIST_TITLE_MAX,
  SQUAD_DESCRIPTION_MAX,
  SQUAD_NAME_MAX,
  SQUAD_NAME_MIN,
  TAG_MAX,
  TAG_MIN,
  TAGS_MAX,
  TITLE_MAX,
  TITLE_MIN,
  USERNAME_MAX,
  USERNAME_MIN,
} from './limits.ts'
import { tidyText } from './text/shown-text.ts'

export type FieldRule = (value: string) => string | undefined

// The pattern of `<input type="email">`, with a dot in the domain.
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

export const usernameLengthRule: FieldRule = (value) =>
  value.trim().length < USERNAME_MIN
    ? `Username must be at least ${USERNAME_MIN} characters`
    : undefined

export const usernameRule: FieldRule = (value) => {
  const username = value.trim()
  if (username.length < USERNAME_MIN) return usernameLengthRule(value)
  if (username.length > USERNAME_MAX) return `Username must be at most ${USERNAME_MAX} characters`
  if (!USERNAME.test(username)) {
    return 'Username may contain only letters, digits, dots, dashes and underscores, and starts with a letter or digit'
  }
}

export const emailRule: FieldRule = (value) => {
  const email = value.trim()
  if (email.length > EMAIL_MAX || !EMAIL.test(email)) return 'Please enter a valid email'
}

export const displayNameRule: FieldRule = (value) => {
  const length = tidyText(value).length
  if (length < DISPLAY_NAME_MIN) {
    return `Display name must be at least ${DISPLAY_NAME_MIN} characters`
  }
  if (length > DISPLAY_NAME_MAX) {
    return `Display name must be at most ${DISPLAY_NAME_MAX} characters`
  }
}

export const bioRule: FieldRule = (value) =>
  value.trim().length > BIO_MAX ? `Bio must be at most ${BIO_MAX} characters.` : undefined

export const passwordRule: FieldRule = (value) => {
  if (value.length < PASSWORD_MIN) return `Password must be at least ${PASSWORD_MIN} characters`
  if (value.length > PASSWORD_MAX) return `Password must be at most ${PASSWORD_MAX} characters`
}

/** A site may require more characters of new passwords. */
export const newPasswordRule =
  (min: number): FieldRule =>
  (value) =>
    value.length < min ? `Password must be at least ${min} characters` : passwordRule(value)

export const titleRule: FieldRule = (value) => {
  const length = tidyText(value).length
  if (length < TITLE_MIN) return `Title must be at least ${TITLE_MIN} characters`
  if (length > TITLE_MAX) return `Title must be at most ${TITLE_MAX} characters`
}

export const descriptionRule: FieldRule = (value) =>
  value.trim().length > DESCRIPTION_MAX
    ? `Description must be at most ${DESCRIPTION_MAX} characters.`
    : undefined

export function tagsRule(tags: readonly string[]): string | undefined {
  if (tags.length > TAGS_MAX) return `A video has at most ${TAGS_MAX} tags.`
  const lengths = tags.map((tag) => tidyText(tag).length)
  if (lengths.some((length) => length < TAG_MIN || length > TAG_MAX)) {
    return `Each tag must be ${TAG_MIN} to ${TAG_MAX} characters.`
  }
}

const SQUAD_TAG = /^[A-Za-z0-9]{2,6}$/

export const squadNameRule: FieldRule = (value) => {
  const length = tidyText(value).length
  if (length < SQUAD_NAME_MIN || length > SQUAD_NAME_MAX) {
    return `A squad's name must be ${SQUAD_NAME_MIN} to ${SQUAD_NAME_MAX} characters.`
  }
}

export const squadTagRule: FieldRule = (value) =>
  SQUAD_TAG.test(value.trim()) ? undefined : 'A tag is 2 to 6 letters or digits.'

export const squadDescriptionRule: FieldRule = (value) =>
  value.trim().length > SQUAD_DESCRIPTION_MAX
    ? `A squad's description has at most ${SQUAD_DESCRIPTION_MAX} characters.`
    : undefined

export const playlistTitleRule: FieldRule = (value) => {
  const length = tidyText(value).length
  if (length < 1 || length > PLAYLIST_TITLE_MAX) {
    return `A playlist's title must be 1 to ${PLAYLIST_TITLE_MAX} characters.`
  }
}

export const playlistDescriptionRule: FieldRule = (value) =>
  value.trim().length > PLAYLIST_DESCRIPTION_MAX
    ? `A playlist's description has at most ${PLAYLIST_DESCRIPTION_MAX} characters.`
    : undefined
