import type { ReactNode } from 'react'
import type { ReactionKind } from '#shared/reactions.ts'
import classes from './reaction-sign.module.css'

/**
 * The site has its own drawings because not every system has pictures for all kinds. They look the
 * same everywhere.
 */
const DRAWINGS: Record<ReactionKind, ReactNode> = {
  fire: (
    <>
      <path
        className={classes.fire}
        d="M12.6 1.5c.6 3.700 6.400 6 6.400 12.300a7 7 0 0 1-14 .2c0-3.300 1.900-5 2.700-7.600 1.500.9 2.200 2.300 2.400 3.700 1.900-2 2.700-5.300 2.500-8.600z"
      />
      <path
        className={classes.flame}
        d="M12.300 11.500c.2 1.800 2.700 2.900 2.700 5.500a3 3 0 0 1-6 .1c0-1.600.9-2.300 1.300-3.600.6.400.9.9 1 1.500.7-.9 1.100-2.100 1-3.500z"
      />
    </>
  ),
  laugh: (
    <>
      <circle className={classes.face} cx="12" cy="12" r="10" />
      <path className={classes.line} d="M5.800 10.200q2-2.600 4 0M14.200 10.200q2-2.600 4 0" />
      <path className={classes.ink} d="M6 13h12a6 6 0 0 1-12 0z" />
      <path
        className={classes.tongue}
        d="M8.800 17.400a4.300 4.300 0 0 1 6.400 0 6 6 0 0 1-6.400 0z"
      />
      <path
        className={classes.tear}
        d="M4.300 10.800c1 1.300 1.300 3 .4 3.800a1.700 1.700 0 0 1-2.600-2c.4-.9 1.300-1.500 2.200-1.800zM19.700 10.800c-1 1.300-1.300 3-.4 3.800a1.700 1.700 0 0 0 2.600-2c-.4-.9-1.300-1.500-2.200-1.800z"
      />
    </>
  ),
  wow: (
    <>
      <circle className={classes.face} cx="12" cy="12" r="10" />
      <path
        className={classes.line}
        d="M6.200 6.600q1.600-1.700 3.400-1M17.800 6.600q-1.600-1.700-3.400-1"
      />
      <ellipse className={classes.ink} cx="8.400" cy="10" rx="1.300" ry="1.800" />
      <ellipse className={classes.ink} cx="15.600" cy="10" rx="1.300" ry="1.800" />
      <ellipse className={classes.ink} cx="12" cy="16.400" rx="2.700" ry="3.400" />
    </>
  ),
  heart: (
    <path
      className={classes.heart}
      d="M12 21 3.500 12.500a5.600 5.600 0 0 1 7.900-7.900l.6.600.6-.6a5.600 5.600 0 0 1 7.900 7.900z"
    />
  ),
  skull: (
    <>
      <path
        className={classes.bone}
        d="M12 2a9 9 0 0 0-5.500 16.100V20A1.800 1.800 0 0 0 8.300 21.800h7.400A1.800 1.800 0 0 0 17.500 20v-1.900A9 9 0 0 0 12 2z"
      />
      <circle className={classes.ink} cx="8.400" cy="11.500" r="2.300" />
      <circle className={classes.ink} cx="15.600" cy="11.500" r="2.300" />
      <path className={classes.ink} d="M12 13.800l1.300 2.600h-2.600z" />
      <path className={classes.line} d="M10.300 19v2.400M13.700 19v2.400" />
    </>
  ),
  gg: (
    <>
      <rect className={classes.plate} x="1" y="5" width="22" height="14" rx="4" />
      <path
        className={classes.letters}
        d="M10.700 9.600H6.800a1.500 1.500 0 0 0-1.500 1.500v1.800a1.500 1.500 0 0 0 1.500 1.500h3.400v-2.200H8.600M19.200 9.600h-3.900a1.500 1.500 0 0 0-1.500 1.500v1.800a1.500 1.500 0 0 0 1.500 1.500h3.400v-2.200h-1.600"
      />
    </>
  ),
}

export function ReactionSign({ kind, size }: { kind: ReactionKind; size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {DRAWINGS[kind]}
    </svg>
  )
}
