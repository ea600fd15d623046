export type QueueState =
  /** Chosen in the upload form, not yet submitted. */
  | 'prepared'
  /** The file is compared with the videos of the site. */
  | 'checking'
  /** The site has a video of the same bytes; the member decides. */
  | 'same'
  | 'waiting'
  | 'running'
  | 'paused'
  /** Can be tried again. */
  | 'failed'
  /** Cannot be tried again. */
  | 'refused'
  /** The site fetches it from an address. */
  | 'fetching'
  /** Needs its file again. */
  | 'unfinished'
  /** Uploaded; the server prepares the video. */
  | 'preparing'
  | 'ready'
  /** The video was deleted. */
  | 'gone'

export type QueueEvent =
  /** The form chooses another file. */
  | 'prepare'
  | 'submit'
  /** The form keeps the file. */
  | 'cancel'
  | 'found-new'
  | 'found-same'
  | 'upload-anyway'
  | 'fetch'
  | 'check-again'
  | 'choose-file'
  | 'lose-file'
  | 'start'
  | 'pause'
  | 'resume'
  /** Nothing can be sent at the moment; the queue tries again by itself. */
  | 'interrupt'
  | 'fail'
  | 'refuse'
  | 'complete'
  | 'play'
  | 'delete'

const TRANSITIONS: Record<QueueEvent, Partial<Record<QueueState, QueueState>>> = {
  prepare: { prepared: 'prepared', failed: 'prepared' },
  submit: { prepared: 'waiting', failed: 'waiting' },
  cancel: { running: 'prepared' },
  'found-new': { checking: 'waiting' },
  'found-same': { checking: 'same', fetching: 'same' },
  'upload-anyway': { same: 'waiting' },
  fetch: { same: 'fetching', failed: 'fetching' },
  'check-again': { failed: 'checking' },
  'choose-file': { unfinished: 'waiting' },
  'lose-file': { checking: 'unfinished', running: 'unfinished' },
  start: { waiting: 'running' },
  pause: { waiting: 'paused', running: 'paused' },
  resume: { paused: 'waiting', failed: 'waiting' },
  interrupt: { running: 'waiting' },
  fail: { running: 'failed', fetching: 'failed' },
  refuse: { checking: 'refused', running: 'refused', preparing: 'refused' },
  // The last call may have been under way when the member paused.
  complete: {
    ...{ running: 'preparing', paused: 'preparing', waiting: 'preparing' },
    fetching: 'preparing',
  },
  play: { preparing: 'ready' },
  delete: { preparing: 'gone', ready: 'gone' },
}

/** @returns the state after the event, or undefined where the event has no effect */
export function nextQueueState(state: QueueState, event: QueueEvent): QueueState | undefined {
  return TRANSITIONS[event][state]
}
