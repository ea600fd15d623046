import { expect, test } from 'vitest'
import {
  nextQueueState,
  type QueueEvent,
  type QueueState,
} from '#client/create/upload/queue/queue-state.ts'

/** A row for each state: where each event leads from there. Events that are missing have no effect. */
const TABLE: Record<QueueState, Partial<Record<QueueEvent, QueueState>>> = {
  prepared: { prepare: 'prepared', submit: 'waiting' },
  checking: {
    'found-new': 'waiting',
    'found-same': 'same',
    'lose-file': 'unfinished',
    refuse: 'refused',
  },
  same: { 'upload-anyway': 'waiting', fetch: 'fetching' },
  waiting: { start: 'running', pause: 'paused', complete: 'preparing' },
  running: {
    cancel: 'prepared',
    pause: 'paused',
    interrupt: 'waiting',
    fail: 'failed',
    refuse: 'refused',
    'lose-file': 'unfinished',
    complete: 'preparing',
  },
  paused: { resume: 'waiting', complete: 'preparing' },
  failed: {
    prepare: 'prepared',
    submit: 'waiting',
    resume: 'waiting',
    'check-again': 'checking',
    fetch: 'fetching',
  },
  fetching: { 'found-same': 'same', fail: 'failed', complete: 'preparing' },
  refused: {},
  unfinished: { 'choose-file': 'waiting' },
  preparing: { play: 'ready', refuse: 'refused', delete: 'gone' },
  ready: { delete: 'gone' },
  gone: {},
}

const EVENTS = new Set(Object.values(TABLE).flatMap((row) => Object.keys(row) as QueueEvent[]))

test.each(Object.keys(TABLE) as QueueState[])('a file that is %s', (state) => {
  const reached = [...EVENTS].flatMap((event) => {
    const next = nextQueueState(state, event)
    return next ? [[event, next]] : []
  })
  expect(Object.fromEntries(reached)).toEqual(TABLE[state])
})
