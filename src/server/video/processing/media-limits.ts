/** Below 1 GiB: the check sees a peak late. */
export const defaultMemoryLimitBytes = 992 * 1024 ** 2

export const outOfMemoryExitCode = 86

export const maxVideoPixels = 7680 * 4320
/** Limit of the encoders. */
export const maxVideoSide = 16_384

export const maxThumbnailPixels = 40_000_000
export const maxThumbnailSide = 32_767

/** A file that claims more is damaged. */
export const maxDurationSeconds = 48 * 3600

/** Applies from `sparseFromSeconds`. */
export const leastFrameRate = 0.1
export const sparseFromSeconds = 600

export const videoFileName = 'video.mp4'
export const posterFileName = 'poster.jpg'
/** From 1. */
export const textFileName = (number: number) => `captions-${number}.vtt`

/** For longer videos memory matters more than speed. */
export const longSeconds = 1200

export const maxLateStartSeconds = 0.1
