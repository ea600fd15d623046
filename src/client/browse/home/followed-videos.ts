/** Of the shelf. */
export const FOLLOWED_VIDEOS = 12
