/** Resident memory at which the child is ended: what it takes until that is seen stays within 1 GiB. */
export const defaultMemoryLimitBytes = 992 * 1024 ** 2

/** How the child ends when it finds itself above its memory limit. */
export const outOfMemoryExitCode = 86

/** The largest decoded video picture: 8K. */
export const maxVideoPixels = 7680 * 4320

export const maxThumbnailPixels = 40_000_000
/** Pixels; filters and encoders are not made for longer sides, however few pixels they are of. */
export const maxThumbnailSide = 32_767

/** No file of a permitted size lasts longer; what claims to is damaged. */
export const maxDurationSeconds = 48 * 3600

/** Pictures a second that a video has at least on average, once it is longer than `sparseFromSeconds`. */
export const leastFrameRate = 0.1
export const sparseFromSeconds = 600

export const videoFileName = 'video.mp4'
export const posterFileName = 'poster.jpg'
/** @param number from 1 */
export const textFileName = (number: number) => `captions-${number}.vtt`

/** From here on what is kept in memory for each second counts more than speed; seconds. */
export const longSeconds = 1200

/** A picture or sound that begins later than this is not copied. */
export const maxLateStartSeconds = 0.1
