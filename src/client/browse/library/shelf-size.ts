/** How many videos the library shows of each list. */
export const SHELF_VIDEOS = 12
