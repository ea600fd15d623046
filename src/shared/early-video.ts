/** The id of the data block in a watch page's head from which its video is begun. */
export const EARLY_VIDEO_ID = 'early-video'

/**
 * The id of the script that begins it. Its `data-then` names the files to ask for afterwards, and its `data-app`
 * the script among them that runs the app.
 */
export const EARLY_SCRIPT_ID = 'early-script'

/** What it takes to begin a public video before the page's scripts have come. */
export type EarlyVideo = {
  id: number
  title: string
  thumbnailUrl: string | null
  /** A progressive MP4. */
  videoUrl: string
  hlsUrl: string | null
  /** Whole seconds. */
  duration: number
  /** Pixels as displayed. */
  width: number | null
  height: number | null
}
