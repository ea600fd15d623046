/** The element with what the app would ask for first, as JSON of the query client's state. */
export const PAGE_DATA_ID = 'page-data'
