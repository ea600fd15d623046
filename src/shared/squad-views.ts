export const SQUAD_VIEW_MIN = 2
export const SQUAD_VIEW_MAX = 8
/** Pictures on the page at the same time. */
export const SQUAD_VIEW_PICTURES = 4
/** How far apart two recordings of one match may begin. */
export const SQUAD_VIEW_SECONDS_MAX = 24 * 60 * 60
